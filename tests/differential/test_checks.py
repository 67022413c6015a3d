"""The checks: every planted fault is found and named, on one lane and on sixteen; sound kernels say nothing."""

import os
import re

import numpy as np
import pytest

import faulty_kernels
import faulty_shared_kernels  # noqa: F401 (adds to FAULTS)
import simt_kernels
import test_simt
import warp_kernels
from hetjit import _core, device


@pytest.fixture
def environment(monkeypatch):
    return monkeypatch.setenv


def launched(fault, **options):
    device.kernel(**options)(fault.kernel)[fault.grid, fault.block, None, fault.shared](*fault.arguments())


def names(fault):
    return fault.kernel.__name__


@pytest.mark.parametrize("lanes", [1, 16])
@pytest.mark.parametrize("fault", faulty_kernels.FAULTS, ids=names)
def test_a_planted_fault_is_found(fault, lanes, environment):
    environment("HETJIT_LANES", str(lanes))
    with pytest.raises(fault.error) as found:
        launched(fault, check=fault.check)
    error = found.value
    assert type(error) is fault.error
    assert fault.says in str(error)
    note, *helps = error.__notes__
    remedies = {device.BoundsError: ("test that very index", "test each index"), device.RaceError: ("device.syncthreads()",), device.BarrierError: ("all threads of a block",),
                device.CheckError: ("store there first",), ZeroDivisionError: ("test the divisor",)}
    assert [help.removeprefix("help: ").startswith(remedies[fault.error]) for help in helps] == [True] * (fault.error in remedies)
    line = int(re.match(rf"raised by kernel '{names(fault)}' at {re.escape(fault.kernel.__code__.co_filename)}:(\d+)[ ,]", note)[1])
    assert line in fault.lines
    if fault.both:
        assert int(re.search(r"line (\d+), where block \(\d+, 0, 0\), thread", str(error))[1]) in fault.lines
    if fault.thread:
        assert f"thread {fault.thread} of" in note
    if fault.of_block:
        assert note.endswith(f"of block {fault.of_block}")
    if isinstance(error, device.CheckError):
        assert (error.kernel, error.path, error.line) == (names(fault), fault.kernel.__code__.co_filename, line)
        assert fault.thread in (None, error.thread) and fault.of_block in (None, error.block)


def interpreted(fault):
    environment = os.environ.copy()
    _core.interpret(_core.capture(fault.kernel), tuple(fault.arguments()), fault.grid, fault.block)
    assert environment == os.environ


@pytest.mark.parametrize("fault", [f for f in faulty_kernels.FAULTS if f.check not in ("race", "init")], ids=names)
def test_the_interpreter_says_the_same(fault, environment):
    environment("HETJIT_CHECK", fault.check)
    with pytest.raises(fault.error) as found:
        interpreted(fault)
    assert fault.says in str(found.value)


def test_errors_have_the_classes_that_python_expects():
    assert issubclass(device.BoundsError, IndexError) and issubclass(device.BoundsError, device.CheckError)
    assert issubclass(device.CheckError, RuntimeError)
    assert issubclass(device.RaceError, device.CheckError) and issubclass(device.BarrierError, device.CheckError)


def test_the_environment_turns_checks_on(environment):
    fault = next(f for f in faulty_kernels.FAULTS if f.kernel is faulty_kernels.strided)
    for value in ("bounds", "all", "arith,bounds"):
        environment("HETJIT_CHECK", value)
        with pytest.raises(device.BoundsError):
            launched(fault)
    environment("HETJIT_CHECK", "bonds")
    with pytest.raises(ValueError, match="HETJIT_CHECK is 'bonds'; known are bounds, race"):
        launched(fault)


def test_what_check_may_be():
    def kernel(x):
        x[0] = 1

    for value in ("bounds", "race", "init", "arith", "assert", "all", "bounds,arith", ""):
        device.kernel(check=value)(kernel)
    with pytest.raises(ValueError, match="check='fast': known are bounds, race, init, arith, warp, assert and all"):
        device.kernel(check="fast")(kernel)
    with pytest.raises(TypeError):
        device.kernel(check=True)(kernel)


def test_checks_are_off_by_default():
    for phase, target in (("llvm", "cpu:x86-64-v3"), ("ptx", "cuda:sm_90"), ("amdgcn", "hip:gfx942")):
        snapshot = _core.capture(faulty_kernels.guard_by_one_too_far)
        assert "hetjit_error" not in _core.show(snapshot, phase, "(float32[:])", target, kernel=True)


@pytest.mark.parametrize("phase, target", [("ptx", "cuda:sm_90"), ("amdgcn", "hip:gfx942")])
def test_gpus_write_a_record_and_do_not_trap(phase, target, environment):
    environment("HETJIT_CHECK", "all")
    text = _core.show(_core.capture(faulty_kernels.guard_by_one_too_far), phase, "(float32[:])", target, kernel=True)
    assert "hetjit_error" in text and "trap" not in text


def test_a_race_names_both_lines_and_threads():
    def kernel(x):
        i = device.tid(1)
        if i == 3:
            x[5] = 1.0
        if i == 9:
            v = x[5]
            x[9] = v

    with pytest.raises(device.RaceError) as found:
        device.kernel(check="race")(kernel)[1, 16](np.zeros(16, np.float32))
    first = kernel.__code__.co_firstlineno
    mine, other = ((found.value.line, found.value.thread),
                   tuple(map(int, re.search(r"line (\d+), where block \(0, 0, 0\), thread \((\d+), 0, 0\)",
                                            str(found.value)).groups())))
    assert {mine[0], other[0]} == {first + 3, first + 5}
    assert {mine[1][0], other[1]} == {3, 9}


def test_bytes_beside_each_other_are_no_race():
    def kernel(b, h):
        i = device.tid(1)
        b[i] = i
        h[i] = i

    b, h = np.zeros(64, np.int8), np.zeros(64, np.float16)
    device.kernel(check="race")(kernel)[2, 32](b, h)
    assert b.tolist() == list(range(64))


@pytest.mark.parametrize("lanes", [1, 16])
def test_elements_that_are_not_whole_words_are_no_race(lanes, environment):
    def kernel(packed, out):
        bytes_, shorts = device.shared_array(64, device.uint8x3), device.shared_array(64, device.int16x3)
        t = device.thread_idx.x
        bytes_[t] = device.uint8x3(1, 2, t)
        shorts[t] = device.int16x3(t, t + 1, t + 2)
        packed[63 - t] = packed[63 - t].replace(b=t, c=1)
        device.syncthreads()
        out[t] = bytes_[63 - t].z + shorts[t ^ 1].y

    environment("HETJIT_LANES", str(lanes))
    packed = np.zeros(64, np.dtype([("a", "u1"), ("b", "f4"), ("c", "i2")]))
    out = np.zeros(64, np.int32)
    device.kernel(check="all")(kernel)[1, 64](packed, out)
    assert packed["b"].tolist() == list(range(63, -1, -1))
    assert out.tolist() == [63 - t + (t ^ 1) + 1 for t in range(64)]


def test_each_launch_has_a_shadow_of_its_own():
    @device.kernel(check="race")
    def kernel(x, shift):
        x[(device.tid(1) + shift) % 32] = shift

    x = np.zeros(32, np.float32)
    for shift in range(3):
        kernel[1, 32](x, shift)
    with pytest.raises(device.RaceError):
        kernel[2, 32](x, 0)
    kernel[1, 32](x, 5)
    assert (x == 5).all()


def test_many_blocks_on_many_workers_read_together():
    @device.kernel(check="race")
    def kernel(x, out):
        i = device.tid(1)
        total = 0.0
        for j in range(x.shape[0]):
            total += x[j]
        out[i] = total

    x, out = np.ones(100, np.float32), np.zeros(64 * 50, np.float32)
    kernel[64, 50](x, out)
    assert (out == 100).all()


def guarded(x, y):
    i = device.tid(1)
    n = x.shape[0]
    if 0 < i < n - 1:
        x[i] = x[i - 1] + x[i + 1]
    if i >= n:
        return
    for j in range(n):
        x[j] += x[i]


def test_a_guard_makes_checks_unnecessary(environment):
    environment("HETJIT_CHECK", "bounds")
    arrays = "(array[f32, 1, index32], array[f32, 1, index32])"  # of fewer than 2^31 elements, so that i + 1 cannot wrap
    typed, optimized = (_core.show(_core.capture(guarded), phase, arrays, kernel=True) for phase in ("typed", "optimized"))
    assert typed.count("checkbelow") == 6 and "checkbelow" not in optimized


def rows(x, out):
    tile = device.shared_array(64, device.float32)
    t = device.thread_idx.x
    total = 0.0
    for k in range(8):
        total += x[device.block_idx.x * 512 + k * 64 + t]
    tile[t] = total
    device.syncthreads()
    out[device.block_idx.x * 64 + t] = tile[63 - t]


def test_a_check_does_not_change_the_order_of_a_loop_over_memory():
    x, out = np.ones(2048, np.float32), np.zeros(256, np.float32)
    for check in ("", "bounds"):
        assert "turn by turn" in device.kernel(check=check)(rows).explain(x, out)


SOUND = [function for function in warp_kernels.ALL if function.__name__ != "integer_division"]  # which divides by 0, to see what it gives


@pytest.mark.parametrize("function", SOUND, ids=lambda function: function.__name__)
def test_sound_kernels_say_nothing(function):
    values = np.random.default_rng(1)
    for n, block in ((37, 16), (64, 32), (100, 7)):
        outs = []
        for check in ("", "all"):
            x, y = values.random(n, np.float32), np.arange(n, dtype=np.int32) % 30
            values = np.random.default_rng(1)
            device.kernel(check=check)(function)[-(-n // block) + 1, block](x, y, n)
            outs.append((x.tobytes(), y.tobytes()))
        assert outs[0] == outs[1]


TIERS = ("whole", "warps", "threads")  # which each kernel runs in at least


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("name", simt_kernels.CASES)
def test_sound_kernels_that_share_memory_say_nothing(name, tier, environment):
    environment("HETJIT_TIER", tier)
    case = simt_kernels.CASES[name]
    arguments = case.arguments()
    kernel = device.kernel(check="all")(case.kernel.underlying).on("cpu")
    test_simt.within(100, lambda: kernel[case.grid, case.block, None, case.shared, case.cooperative](*arguments))
    test_simt.check(arguments, case.expect(*case.arguments()))


def work_between_locks(lock, count, out, turns):
    block = device.block_idx.x
    for turn in range(turns):
        while device.atomic.exch(lock, 0, 1, "acquire") == 1:
            pass
        count[0] += 1
        device.atomic.store(lock, 0, 0, "release")
        out[block, turn] = block * turns + turn
        device.atomic.add(out, (block, turns), 1)


def test_what_a_thread_does_after_it_unlocks_is_no_fault():
    kernel = device.kernel(check="all")(work_between_locks).on("cpu")
    for _ in range(100):
        lock, count, out = np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros((32, 11), np.int32)
        test_simt.within(100, lambda: kernel[32, 1](lock, count, out, 10))
        assert count[0] == 320 and (out[:, 10] == 10).all()


def hand_down(flag, data, out, whole):
    """Each block waits for the one before; its first thread asks and answers for all."""
    block, t = device.block_idx.x, device.thread_idx.x
    if block > 0:
        if t == 0:
            while device.atomic.load(flag, block - 1, "acquire") == 0:
                pass
        device.syncthreads()
        out[block, t] = data[block - 1, device.block_dim.x - 1 - t]
    data[block, t] = block
    if whole:
        device.syncthreads()
    if t == 0:
        device.atomic.store(flag, block, 1, "release")


@pytest.mark.parametrize("grid, block", [(2, 32), (40, 100)])
def test_the_first_thread_of_a_block_speaks_for_all_of_them(grid, block):
    kernel = device.kernel(check="race")(hand_down).on("cpu")
    arrays = [np.zeros(shape, np.int32) for shape in (grid, (grid, block), (grid, block))]
    test_simt.within(100, lambda: kernel[grid, block](*arrays, True))
    np.testing.assert_array_equal(arrays[2][:, 0], [0, *range(grid - 1)])
    with pytest.raises(device.RaceError):
        test_simt.within(100, lambda: kernel[grid, block](*map(np.zeros_like, arrays), False))


SHARED_FAULTS = [f for f in faulty_kernels.FAULTS if f.kernel.__module__ == "faulty_shared_kernels"]


@pytest.mark.parametrize("tier", TIERS[1:])
@pytest.mark.parametrize("fault", SHARED_FAULTS, ids=names)
def test_a_fault_is_found_in_every_tier(fault, tier, environment):
    environment("HETJIT_TIER", tier)
    with pytest.raises(fault.error, match=re.escape(fault.says)):
        launched(fault, check=fault.check)


def test_a_fault_is_found_by_all_checks_together():
    """Where nothing orders a read and the first write, it may be a race or a read of what was not written."""
    for fault in SHARED_FAULTS:
        with pytest.raises(device.CheckError):
            launched(fault, check="all")


def staged(x, out, table):
    tile = device.shared_array(64, device.float32)
    i, t = device.tid(1), device.thread_idx.x
    tile[t] = x[i]
    device.syncthreads()
    total = 0.0
    for k in range(64):
        total += tile[k] * table[k]
    out[i] = total


@pytest.mark.parametrize("lanes", [1, 16])
def test_what_is_only_read_may_lie_where_something_is_written(lanes, environment):
    """Arrays that overlap are watched, whatever their names."""
    environment("HETJIT_LANES", str(lanes))
    kernel = device.kernel(check="race")(staged)
    memory = np.ones(512, np.float32)
    x, out = memory[:128], memory[128:256]
    for table in (memory[256:320], memory[64:128], memory[319:255:-1], memory[256::2]):
        kernel[2, 64](x, out, table)
    for table in (memory[200:264], memory[100:164], memory[300:236:-1], memory[0:256:4]):
        with pytest.raises(device.RaceError, match="'table'|'out'"):
            kernel[2, 64](x, out, table)


@pytest.mark.parametrize("lanes", [1, 16])
def test_structs_with_gaps_may_be_written_in_parts(lanes, environment):
    environment("HETJIT_LANES", str(lanes))

    @device.struct
    class Gap:
        small: device.int8
        wide: device.int64

    def kernel(out):
        gaps = device.shared_array(32, Gap)
        t = device.thread_idx.x
        gaps[t] = Gap(t, 2 * t)
        device.syncthreads()
        other = gaps[31 - t]
        out[t] = other.small + other.wide

    out = np.zeros(32, np.int64)
    device.kernel(check="all")(kernel)[1, 32](out)
    assert out.tolist() == [3 * t for t in range(31, -1, -1)]


def shifted(x, y):
    i = device.tid(1)
    if i < y.shape[0]:
        y[i] = 2.0 * x[i]
        y[i] += 1.0


def placed(a):
    i, j = device.tid(2)
    a[i, j] = a[i, j] + 1.0


@pytest.mark.parametrize("lanes", [1, 16])
def test_elements_of_each_threads_own(lanes, environment):
    """They are nobody else's unless threads differ along another axis, or another array lies there too."""
    environment("HETJIT_LANES", str(lanes))
    kernel, memory = device.kernel(check="race")(shifted), np.ones(257, np.float32)
    kernel[4, 64](memory[:256], np.ones(256, np.float32))
    kernel[4, 64](memory[:256], memory[:256])
    for grid, block, x in ((4, 64, memory[1:]), (4, (32, 2), np.ones(256, np.float32)), ((4, 2), 64, np.ones(256, np.float32))):
        with pytest.raises(device.RaceError):
            kernel[grid, block](x, memory[:256])
    kernel, a = device.kernel(check="race")(placed), np.zeros((32, 32), np.float32)
    kernel[(2, 2), (16, 16)](a)
    assert (a == 1).all()
    with pytest.raises(device.RaceError):
        kernel[(2, 2, 2), (16, 16)](a)
    with pytest.raises(device.RaceError):
        kernel[(2, 2), (16, 16)](np.lib.stride_tricks.as_strided(a, (32, 32), (64, 4)))
