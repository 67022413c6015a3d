"""The machine whose memory is weak, apart from what memory shows: sizes that mix, barriers, races and their words, devices."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device
from hetjit.emulation.devices import machine
from hetjit.emulation.ptx import BarrierFault, Machine, RaceFault, UninitializedFault, Weak
from texts import run

BOX = ".shared .align 8 .b8 box[64];"
MINE = "mov.u32 %r9, box; add.u32 %r8, %r9, %r0; "
WORD = "ld.shared.u32 %r3, [box]; cvt.u64.u32 %rd5, %r3; st.global.u64 [%rd2], %rd5;"


def weakly(body, seed, races=True, **options):
    return run(body, machine=Machine(schedule=Weak(seed, races)), **options).tolist()


def test_bytes_and_words_of_one_place():
    body = MINE + "cvt.u16.u32 %h1, %r0; st.shared.u8 [%r8], %h1; bar.sync 0; " + WORD + "bar.sync 0; " \
        "add.u16 %h1, %h1, 16; st.shared.u8 [%r8], %h1; bar.sync 0; ld.shared.u32 %r4, [box]; add.u32 %r3, %r3, %r4; " + WORD.split(";", 1)[1]
    for seed in range(50):
        got = weakly(body, seed, outside=BOX, block=4, out=4)
        assert got == [0x03020100 + 0x13121110] * 4, seed


def test_a_word_that_is_cut_keeps_what_was_known_of_it():
    body = "setp.ne.u32 %p1, %r0, 0; @%p1 bra E; st.shared.u64 [box], 0x0807060504030201; E: bar.sync 0; " + MINE + \
        "ld.shared.u8 %h1, [%r8]; cvt.u64.u16 %rd5, %h1; st.global.u64 [%rd2], %rd5;"
    for seed in range(50):
        assert weakly(body, seed, outside=BOX, block=8, out=8) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_atomics_on_parts_of_a_word():
    body = MINE + "setp.ne.u32 %p1, %r0, 0; @%p1 bra E; st.shared.u32 [box], 0; E: bar.sync 0; shr.u32 %r5, %r0, 1; shl.b32 %r5, %r5, 1; " \
        "atom.shared.cas.b16 %h1, [box], 0, 1; atom.shared.add.u32 %r7, [box], 0x10000; bar.sync 0; " + WORD
    for seed in range(50):
        assert weakly(body, seed, False, outside=BOX, block=4, out=4) == [0x40001] * 4, seed


SPLIT = "setp.lt.u32 %p1, %r0, 32; @%p1 bra E; st.shared.u32 [box], 7; bar.arrive 1, 64; bra F; E: bar.sync 1, 64; " + WORD + " F:"


def test_who_arrives_hands_over():
    for seed in range(20):
        assert weakly(SPLIT.replace("st.shared", "setp.ne.u32 %p2, %r0, 40; @%p2 bra G; st.shared").replace("bar.arrive", "G: bar.arrive"),
                      seed, outside=BOX, block=64, out=64)[:32] == [7] * 32


def test_who_has_ended_counts_as_come():
    body = "setp.ne.u32 %p1, %r0, 3; @%p1 bra E; st.shared.u32 [box], 7; exit; E: bar.sync 0; " + WORD
    for seed in range(20):
        assert weakly(body, seed, outside=BOX, block=4, out=4) == [7, 7, 7, 0], seed


def test_the_result_of_a_barrier():
    body = "setp.eq.u32 %p1, %r0, 2; bar.red.popc.u32 %r3, 0, %p1; cvt.u64.u32 %rd5, %r3; st.global.u64 [%rd2], %rd5;"
    assert weakly(body, 1, block=8, out=8) == [1] * 8
    with pytest.raises(BarrierFault):
        weakly("setp.lt.u32 %p1, %r0, 32; @%p1 bra E; bar.sync 0, 64; E:", 1, block=64)


def test_generic_addresses_of_shared_memory_and_vectors():
    body = "mov.u64 %rd6, box; cvta.shared.u64 %rd7, %rd6; mad.wide.u32 %rd7, %r0, 8, %rd7; mov.b32 %r1, 5; st.v2.u32 [%rd7], {%r0, %r1}; " \
        "bar.sync 0; xor.b32 %r4, %r0, 1; cvta.shared.u64 %rd7, %rd6; mad.wide.u32 %rd7, %r4, 8, %rd7; ld.v2.u32 {%r2, %r3}, [%rd7]; " \
        "mad.lo.u32 %r3, %r3, 100, %r2; cvt.u64.u32 %rd5, %r3; st.global.u64 [%rd2], %rd5;"
    for seed in range(20):
        assert weakly(body, seed, outside=BOX, block=4, out=4) == [501, 500, 503, 502]


def test_a_race_names_both_places():
    body = "setp.ne.u32 %p1, %r0, 0; @%p1 bra E; st.global.u64 [%rd0], 1; bra F; E: ld.global.u64 %rd5, [%rd0]; F:"
    with pytest.raises(RaceFault) as caught:
        weakly(body, 1, block=2)
    words = str(caught.value)
    assert "nothing orders this access and that of thread" in words and "st.global.u64" in words and "ld.global.u64" in words
    assert "(0, 0, 0) of block" in words and "(1, 0, 0) of block" in words and words.count("PTX line") == 2
    weakly(body, 1, False, block=2)


def test_a_load_that_begins_a_loop_of_compare_and_exchange_is_no_race():
    body = "ld.global.u32 %r1, [%rd0]; L: add.u32 %r2, %r1, 1; atom.global.cas.b32 %r3, [%rd0], %r1, %r2; setp.ne.u32 %p1, %r3, %r1; " \
        "mov.u32 %r1, %r3; @%p1 bra L;"
    for seed in range(20):
        assert weakly(body, seed, block=8)[0] == 8
    with pytest.raises(RaceFault):
        weakly(body.replace("ld.global.u32 %r1, [%rd0]", "mov.u64 %rd5, %rd0; ld.global.u32 %r1, [%rd5]"), 1, block=8)


def test_shared_memory_that_may_not_be_written_yet():
    body = "setp.ne.u32 %p1, %r0, 0; @%p1 bra E; st.shared.u32 [box], 1; E: " + WORD
    with pytest.raises(UninitializedFault, match="4 bytes of shared memory that nobody wrote"):
        for seed in range(50):
            weakly(body, seed, False, outside=BOX, block=2)


RELAXED = "st.relaxed.gpu.global.u64 [%rd0+64], %rd2; ld.relaxed.gpu.global.u64 %rd5, [%rd0+64]; st.global.u64 [%rd2], %rd5;"


def test_the_same_seed_gives_the_same_run():
    runs = [[weakly(RELAXED, seed, block=8, out=16) for seed in range(20)] for _ in range(2)]
    assert runs[0] == runs[1] and len({tuple(r) for r in runs[0]}) > 5


def test_memory_that_the_kernel_frees():
    outside = ".extern .func (.param .b64 p) malloc(.param .b64 n); .extern .func free(.param .b64 p);"
    body = """{ .param .b64 n; .param .b64 p; st.param.b64 [n], 8; call.uni (p), malloc, (n); ld.param.b64 %rd5, [p]; }
    st.global.u64 [%rd5], 7; ld.global.u64 %rd6, [%rd5]; st.global.u64 [%rd2], %rd6;
    { .param .b64 p; st.param.b64 [p], %rd5; call.uni free, (p); }"""
    assert weakly(body, 1, outside=outside, block=4, out=4) == [7] * 4


@device.kernel
def all_count(x):
    device.atomic.add(x, 0, 1)
    if x.shape[0] > 1:
        x[1] += 1


@device.kernel
def speaks(x):
    i = device.tid(1)
    if i % 10 == 1:
        print("thread", i)
    if i == 7:
        raise ValueError(f"seven {x[i]}")


@pytest.fixture
def where():
    machine("emu:sm_86").schedule = Weak(3)
    yield "emu:sm_86"
    machine("emu:sm_86").schedule = None


def test_a_device(where):
    x = device.zeros(1, device.int32, where)
    all_count[2, 16](x)
    assert device.to_numpy(x).tolist() == [32]
    all_count[2, 16](device.zeros(2, device.int32, where))
    with pytest.raises(device.DeviceError, match="(?s)RaceFault: nothing orders this access.*in all_count"):
        device.synchronize(where)


def test_prints_and_errors_of_a_device(where, capsys):
    speaks[1, 32](device.zeros(32, device.int32, where))
    with pytest.raises(ValueError, match="seven 0"):
        device.synchronize(where)
    assert set(capsys.readouterr().out.splitlines()) <= {"thread 1", "thread 11", "thread 21", "thread 31"}
