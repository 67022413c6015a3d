"""The machine for AMD, by lines of assembly: scalar instructions, lanes that read each other, masks, memory, what it refuses and what stops it."""

import itertools
import math

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("tinygrad", reason="tinygrad is not installed for this Python")

from amd_instructions import ASSEMBLER, END, KNOWN, MODE, WAVES, Wave, assembled
from hetjit.emulation.amd.memory import PRIVATE_WINDOW, SHARED_WINDOW
from hetjit.emulation.faults import (AddressFault, StackFault, TrapFault, UninitializedFault, UnknownCode)

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
SOME = [0, 1, 2, 5, 0x80000000, 0x7FFFFFFF, M32, 0x12345678, 0xF0F00F0F, 31, 0x00100005, 0xFFFF0000]
WIDE = [0, 1, 1 << 63, M64, 0x123456789ABCDEF0, 1 << 32, M32, 0x8000000080000000]


def signed(value, bits=32):
    return value - (1 << bits) if value >> bits - 1 else value


def in_fours(value, bits):
    return [value >> k & 15 for k in range(0, bits, 4)]


# (assembly, what it makes of s4 and s6, SCC or None where it stays)
SCALARS = [
    ("s_add_u32 s8, s4, s6", lambda a, b: a + b, lambda a, b: a + b > M32),
    ("s_sub_u32 s8, s4, s6", lambda a, b: a - b, lambda a, b: b > a),
    ("s_add_i32 s8, s4, s6", lambda a, b: a + b, lambda a, b: not -2 ** 31 <= signed(a) + signed(b) < 2 ** 31),
    ("s_sub_i32 s8, s4, s6", lambda a, b: a - b, lambda a, b: not -2 ** 31 <= signed(a) - signed(b) < 2 ** 31),
    ("s_min_i32 s8, s4, s6", lambda a, b: min(signed(a), signed(b)), lambda a, b: signed(a) < signed(b)),
    ("s_max_u32 s8, s4, s6", max, lambda a, b: a >= b),
    ("s_mul_i32 s8, s4, s6", lambda a, b: a * b, None), ("s_mul_hi_u32 s8, s4, s6", lambda a, b: a * b >> 32, None),
    ("s_mul_hi_i32 s8, s4, s6", lambda a, b: signed(a) * signed(b) >> 32, None),
    ("s_lshl_b32 s8, s4, s6", lambda a, b: a << (b & 31), "nonzero"), ("s_ashr_i32 s8, s4, s6", lambda a, b: signed(a) >> (b & 31), "nonzero"),
    ("s_bfe_u32 s8, s4, s6", lambda a, b: a >> (b & 31) & (1 << (b >> 16 & 127)) - 1, "nonzero"),
    ("s_bfm_b32 s8, s4, s6", lambda a, b: (1 << (a & 31)) - 1 << (b & 31), None),
    ("s_andn2_b32 s8, s4, s6", lambda a, b: a & ~b, "nonzero"), ("s_xnor_b32 s8, s4, s6", lambda a, b: ~(a ^ b), "nonzero"),
    ("s_absdiff_i32 s8, s4, s6", lambda a, b: abs(signed(signed(a) - signed(b) & M32)), "nonzero"),
    ("s_lshl3_add_u32 s8, s4, s6", lambda a, b: (a << 3) + b, lambda a, b: (a << 3) + b > M32),
    ("s_pack_lh_b32_b16 s8, s4, s6", lambda a, b: a & 0xFFFF | b & 0xFFFF0000, None),
    ("s_bcnt1_i32_b32 s8, s4", lambda a, b: a.bit_count(), "nonzero"), ("s_brev_b32 s8, s4", lambda a, b: int(f"{a:032b}"[::-1], 2), None),
    ("s_ff1_i32_b32 s8, s4", lambda a, b: (a & -a).bit_length() - 1 if a else M32, None),
    ("s_ff0_i32_b32 s8, s4", lambda a, b: (~a & -~a & M32).bit_length() - 1 if a != M32 else M32, None),
    ("s_flbit_i32_b32 s8, s4", lambda a, b: 32 - a.bit_length() if a else M32, None),
    ("s_sext_i32_i8 s8, s4", lambda a, b: signed(a & 255, 8), None), ("s_abs_i32 s8, s4", lambda a, b: abs(signed(a)), "nonzero"),
    ("s_quadmask_b32 s8, s4", lambda a, b: sum((q != 0) << k for k, q in enumerate(in_fours(a, 32))), "nonzero"),
    ("s_wqm_b32 s8, s4", lambda a, b: sum((15 if q else 0) << 4 * k for k, q in enumerate(in_fours(a, 32))), "nonzero"),
    ("s_bitset1_b32 s8, s4", lambda a, b: 0x55 | 1 << (a & 31), None), ("s_movk_i32 s8, 0x8001", lambda a, b: -32767, None),
    ("s_addk_i32 s8, 0xfff0", lambda a, b: 0x55 - 16, lambda a, b: False),
    ("s_cmp_lt_i32 s4, s6 | s_cselect_b32 s8, 7, s4", lambda a, b: 7 if signed(a) < signed(b) else a, lambda a, b: signed(a) < signed(b)),
    ("s_bitcmp1_b32 s4, s6 | s_cselect_b32 s8, 1, 0", lambda a, b: a >> (b & 31) & 1, lambda a, b: a >> (b & 31) & 1),
    ("s_cmpk_gt_u32 s4, 0xfff0 | s_cselect_b32 s8, 1, 0", lambda a, b: a > 0xFFF0, lambda a, b: a > 0xFFF0),
]
PAIRS = [
    ("s_and_b64 s[8:9], s[4:5], s[6:7]", lambda a, b: a & b), ("s_orn2_b64 s[8:9], s[4:5], s[6:7]", lambda a, b: a | ~b),
    ("s_lshr_b64 s[8:9], s[4:5], s6", lambda a, b: a >> (b & 63)), ("s_ashr_i64 s[8:9], s[4:5], s6", lambda a, b: signed(a, 64) >> (b & 63)),
    ("s_bfe_i64 s[8:9], s[4:5], 0x180010", lambda a, b: signed(a >> 16 & 0xFFFFFF, 24)), ("s_not_b64 s[8:9], s[4:5]", lambda a, b: ~a),
    ("s_brev_b64 s[8:9], s[4:5]", lambda a, b: int(f"{a:064b}"[::-1], 2)), ("s_bcnt1_i32_b64 s8, s[4:5] | s_mov_b32 s9, 0", lambda a, b: a.bit_count()),
    ("s_flbit_i32_i64 s8, s[4:5] | s_mov_b32 s9, 0", lambda a, b: 64 - (a ^ (M64 if a >> 63 else 0)).bit_length() if a not in (0, M64) else M32),
    ("s_bitreplicate_b64_b32 s[8:9], s4", lambda a, b: sum((a >> k & 1) * 3 << 2 * k for k in range(32))),
    ("s_cmp_eq_u64 s[4:5], s[6:7] | s_cselect_b64 s[8:9], s[4:5], -1", lambda a, b: a if a == b else M64),
    ("s_add_u32 s8, s4, s6 | s_addc_u32 s9, s5, s7", lambda a, b: a + b), ("s_sub_u32 s8, s4, s6 | s_subb_u32 s9, s5, s7", lambda a, b: a - b),
]


@pytest.mark.parametrize("text, result, condition", SCALARS, ids=[row[0] for row in SCALARS])
def test_scalars(text, result, condition):
    pairs = list(itertools.product(SOME, SOME))
    a, b = np.array(pairs, np.uint32).T.copy()
    wave = Wave("gfx942", waves=len(pairs)).run(f"{text} | s_cselect_b32 s20, 1, 0", s4=a, s6=b, s8=np.uint32(0x55))
    for (a, b), got, truth in zip(pairs, wave.get("s8"), wave.get("s20")):
        want = result(a, b) & M32
        assert int(got) == want, (hex(a), hex(b))
        if condition:
            assert bool(truth) == bool(want != 0 if condition == "nonzero" else condition(a, b)), (hex(a), hex(b))


@pytest.mark.parametrize("text, result", PAIRS, ids=[row[0] for row in PAIRS])
def test_pairs_of_scalars(text, result):
    pairs = list(itertools.product(WIDE, WIDE))
    a, b = np.array(pairs, np.uint64).T.copy()
    for (a, b), got in zip(pairs, Wave("gfx942", waves=len(pairs)).run(text, s4=a, s6=b).get("s8", np.uint64)):
        assert int(got) == result(a, b) & M64, (hex(a), hex(b))


# ---- lanes

LANES = np.arange(64, dtype=np.uint32)
VALUES = LANES * 3 + 100
ODD = 0xAAAAAAAAAAAAAAAA  # the lanes that are on


def moved(text, on=M64, **registers):
    """What lanes hold after a move; those that get nothing keep 7."""
    wave = Wave("gfx942").run(f"s_mov_b64 exec, s[20:21] | {text}", v0=VALUES, v2=np.uint32(7), s20=np.uint64(on), **registers)
    return wave.get("v2").tolist()


def expected(source, on=M64, keep=True):
    """By a function from a lane to the lane it reads, or None for none."""
    result = []
    for lane in range(64):
        at = source(lane)
        there = at is not None and on >> at & 1
        result.append(7 if not on >> lane & 1 else int(VALUES[at]) if there else 7 if keep else 0)
    return result


PATTERNS = {
    "quad_perm:[1,0,3,2]": lambda i: i ^ 1, "quad_perm:[3,3,0,1]": lambda i: i & ~3 | (3, 3, 0, 1)[i & 3],
    "row_shl:3": lambda i: i + 3 if (i & 15) + 3 < 16 else None, "row_shr:5": lambda i: i - 5 if (i & 15) >= 5 else None,
    "row_ror:4": lambda i: i & ~15 | (i - 4) & 15, "row_mirror": lambda i: i ^ 15, "row_half_mirror": lambda i: i ^ 7,
    "wave_shl:1": lambda i: i + 1 if i < 63 else None, "wave_shr:1": lambda i: i - 1 if i else None,
    "wave_rol:1": lambda i: (i + 1) % 64, "wave_ror:1": lambda i: (i - 1) % 64,
    "row_bcast:15": lambda i: (i & ~15) - 1 if i > 15 else None, "row_bcast:31": lambda i: 31 if i > 31 else None,
    "row_newbcast:9": lambda i: i & ~15 | 9,
}


@pytest.mark.parametrize("on", [M64, ODD], ids=["all", "odd"])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_dpp(pattern, on):
    assert moved(f"v_mov_b32_dpp v2, v0 {pattern} row_mask:0xf bank_mask:0xf", on) == expected(PATTERNS[pattern], on)
    assert moved(f"v_mov_b32_dpp v2, v0 {pattern} row_mask:0xf bank_mask:0xf bound_ctrl:0", on) == expected(PATTERNS[pattern], on, keep=False)


def test_dpp_writes_some_rows_and_banks():
    got = moved("v_mov_b32_dpp v2, v0 quad_perm:[0,1,2,3] row_mask:0xa bank_mask:0x6")
    assert got == [int(VALUES[i]) if 0xA >> (i >> 4) & 1 and 0x6 >> (i >> 2 & 3) & 1 else 7 for i in range(64)]


def test_dpp_on_rdna():
    wave = Wave("gfx1100").run("v_mov_b32_dpp v2, v0 row_share:5 row_mask:0xf bank_mask:0xf | v_mov_b32_dpp v3, v0 row_xmask:6 row_mask:0xf bank_mask:0xf | "
                               "v_mov_b32_dpp v4, v0 dpp8:[7,6,5,4,3,2,1,0] | v_permlanex16_b32 v5, v0, s4, s6",
                               v0=VALUES[:32], s4=np.uint32(0x76543210), s6=np.uint32(0xFEDCBA98))
    assert wave.get("v2").tolist() == [int(VALUES[i & 16 | 5]) for i in range(32)]
    assert wave.get("v3").tolist() == [int(VALUES[i ^ 6]) for i in range(32)]
    assert wave.get("v4").tolist() == [int(VALUES[i ^ 7]) for i in range(32)]
    assert wave.get("v5").tolist() == [int(VALUES[i ^ 16]) for i in range(32)]


def test_permutes():
    to = (LANES * 5 + 3) % 64
    assert moved("ds_bpermute_b32 v2, v4, v0", v4=to * 4) == [int(VALUES[k]) for k in to]
    sent = dict(zip(to.tolist(), VALUES.tolist()))
    assert moved("ds_permute_b32 v2, v4, v0", v4=to * 4) == [sent[k] for k in range(64)]
    assert moved("ds_bpermute_b32 v2, v4, v0", ODD, v4=to * 4) == expected(lambda i: int(to[i]), ODD, keep=False)
    assert moved("ds_swizzle_b32 v2, v0 offset:swizzle(BITMASK_PERM, \"01p0i\")") == [int(VALUES[i & ~31 | (i & 5 | 8) ^ 1]) for i in range(64)]
    assert moved("ds_swizzle_b32 v2, v0 offset:swizzle(QUAD_PERM, 2, 2, 0, 1)") == [int(VALUES[i & ~3 | (2, 2, 0, 1)[i & 3]]) for i in range(64)]


def test_lanes_and_scalars():
    text = ("v_readlane_b32 s4, v0, 9 | v_readlane_b32 s5, v0, s10 | v_readfirstlane_b32 s6, v0 | v_writelane_b32 v2, s11, 3 | "
            "v_mbcnt_lo_u32_b32 v3, s12, 0 | v_mbcnt_hi_u32_b32 v3, s13, v3")
    wave = Wave("gfx942").run("s_mov_b64 exec, s[20:21] | " + text, v0=VALUES, v2=np.uint32(7), v3=np.uint32(0), s10=np.uint32(64 + 8), s11=np.uint32(1),
                              s12=np.uint64(ODD), s20=np.uint64(ODD << 8 & M64))
    assert [int(wave.get(name)[0]) for name in ("s4", "s5", "s6")] == [int(VALUES[k]) for k in (9, 8, 9)]
    assert wave.get("v2").tolist() == [1 if i == 3 else 7 for i in range(64)]  # whoever is on
    on = [i for i in range(64) if (ODD << 8 & M64) >> i & 1]
    assert [int(wave.get("v3")[i]) for i in on] == [(ODD & (1 << i) - 1).bit_count() for i in on]


def test_masks():
    wave = Wave("gfx942").run("s_and_saveexec_b64 s[4:5], s[20:21] | v_cmp_gt_u32 s[6:7], v0, s8 | v_cmpx_lt_u32 exec, v0, s9 | v_mov_b32 v2, 1 | "
                              "s_mov_b64 exec, s[4:5]", v0=VALUES, v2=np.uint32(0), s8=np.uint32(150), s9=np.uint32(250), s20=np.uint64(ODD))
    assert int(wave.get("s6", np.uint64)[0]) == sum(1 << i for i in range(64) if ODD >> i & 1 and VALUES[i] > 150)
    assert wave.get("v2").tolist() == [int(ODD >> i & 1 and VALUES[i] < 250) for i in range(64)]


def test_a_branch_parts_waves_and_they_meet():
    """Each of four waves counts to a number of its own, then all go through a barrier."""
    text = ("v_readfirstlane_b32 s4, v0 | s_lshr_b32 s4, s4, 6 | s_mov_b32 s5, 0 | s_add_i32 s5, s5, 3 | s_sub_i32 s4, s4, 1 | s_cmp_ge_i32 s4, 0 | "
            "s_cbranch_scc1 65532 | s_barrier | v_mov_b32 v6, s5")
    wave = Wave("gfx942", waves=4).run(text)
    assert wave.get("v6").tolist() == [3 * (k + 1) for k in range(4) for _ in range(64)]


# ---- memory

def test_memory_of_each_kind():
    wave = Wave("gfx942", shared_bytes=1024, private_bytes=64)
    place = wave.machine.arena.allocate(1024)
    wave.run("global_store_dwordx2 v2, v[0:1], s[4:5] offset:8 | global_load_ushort v6, v2, s[4:5] offset:10 | global_load_sbyte_d16_hi v7, v2, s[4:5] offset:9 | "
             "ds_write2_b32 v4, v0, v1 offset1:64 | ds_read_b32 v8, v4 offset:256 | scratch_store_dword off, v0, off offset:12 | "
             "scratch_load_dword v9, off, off offset:12 | v_mov_b32 v11, s9 | v_add_u32 v10, v4, s8 | flat_load_dword v12, v[10:11]",
             v0=(LANES.astype(np.uint64) << np.uint64(32)) + LANES * np.uint64(0x10305), v2=LANES * 8, v4=LANES * 4, v7=np.uint32(0x11112222), s4=np.uint64(place),
             s8=np.uint64(SHARED_WINDOW))
    stored = (LANES * np.uint32(0x10305)).astype(np.uint32)
    assert wave.get("v6").tolist() == [int(x) >> 16 for x in stored]
    byte = (stored >> 8 & 255).astype(np.uint8).view(np.int8).astype(np.int16).view(np.uint16)
    assert wave.get("v7").tolist() == [int(b) << 16 | 0x2222 for b in byte]
    assert wave.get("v8").tolist() == LANES.tolist() and wave.get("v9").tolist() == stored.tolist() and wave.get("v12").tolist() == stored.tolist()


def test_atomics_of_one_wave_come_one_after_another():
    wave = Wave("gfx942")
    place = wave.machine.arena.allocate(64)
    memory = wave.machine.arena.slice(place, 64)
    memory[:] = 0
    memory.view(np.uint32)[2:4] = 5, 1000
    memory.view(np.float32)[4] = 0.5
    wave.run("global_atomic_add v6, v2, v0, s[4:5] sc0 | global_atomic_umax v7, v2, v0, s[4:5] offset:8 sc0 | global_atomic_inc v8, v2, v9, s[4:5] offset:12 sc0 | "
             "global_atomic_add_f32 v2, v10, s[4:5] offset:16 | global_atomic_cmpswap v12, v2, v[14:15], s[4:5] offset:20 sc0",
             v0=LANES, v2=np.uint32(0), v9=np.uint32(2000), v10=np.float32(0.25), v14=LANES + 1, v15=LANES, s4=np.uint64(place))
    words = memory.view(np.uint32)
    assert words[0] == LANES.sum() and wave.get("v6").tolist() == [int(LANES[:i].sum()) for i in range(64)]
    assert words[2] == 63 and wave.get("v7").tolist() == [max(5, i - 1) if i else 5 for i in range(64)]
    assert words[3] == 1064 and wave.get("v8").tolist() == [1000 + i for i in range(64)]
    assert memory.view(np.float32)[4] == 0.5 + 64 * 0.25
    assert words[5] == 64 and wave.get("v12").tolist() == LANES.tolist()


# ---- modes

def test_rounding_modes():
    third = np.float32(1) / np.float32(3)
    for mode, want in ((0, third), (1, third), (2, np.nextafter(third, np.float32(0))), (3, np.nextafter(third, np.float32(0)))):
        wave = Wave("gfx942").run(f"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), {mode} | v_rcp_f32 v6, v0 | v_add_f32 v7, v1, v2",
                                  v0=np.float32(3), v1=np.float32(1), v2=np.float32(2.0 ** -40))
        assert wave.get("v6", np.float32)[0] == want
        assert wave.get("v7", np.float32)[0] == (np.nextafter(np.float32(1), np.float32(2)) if mode == 1 else 1)


def test_denormals_are_flushed_where_the_mode_says_so():
    tiny = np.float32(1e-39)
    given = {"v0": tiny, "v1": np.float32(1e-20)}
    for flush in (False, True):
        wave = Wave("gfx942").run("v_add_f32 v6, v0, v0 | v_mul_f32 v7, v1, v1 | v_mov_b32 v8, v0", mode=MODE & ~0x30 if flush else MODE, **given)
        got = [float(wave.get(name, np.float32)[0]) for name in ("v6", "v7", "v8")]
        assert got == [0.0 if flush else float(tiny + tiny), 0.0 if flush else float(np.float32(1e-40)), float(tiny)] or not flush and math.isclose(got[1], 1e-40, rel_tol=1e-4)


def test_products_and_sums_of_gfx90a_are_rounded_twice():
    a, b, c = np.float32(1 + 2.0 ** -12), np.float32(1 + 2.0 ** -12), np.float32(-1)
    wave = Wave("gfx90a").run("v_mad_f32 v6, v0, v1, v2 | v_mac_f32 v7, v0, v1 | v_madmk_f32 v8, v0, 0x40490fdb, v2 | v_fma_f32 v9, v0, v1, v2", v0=a, v1=b, v2=c, v7=c)
    want = [a * b + c, a * b + c, a * np.float32(np.pi) + c, np.float32(float(a) * float(b) + float(c))]
    assert [wave.get(f"v{6 + i}", np.float32)[0] for i in range(4)] == want and want[0] != want[3]


# ---- what stops it

def stopped(kind, text, match, architecture="gfx942", shared_bytes=64, private_bytes=32, **registers):
    wave = Wave(architecture, shared_bytes, private_bytes)
    place = wave.machine.arena.allocate(64)
    freed = wave.machine.arena.allocate(64)
    wave.machine.arena.release(freed)
    with pytest.raises(kind, match=match) as caught:
        wave.run(text, s4=np.uint64(place), s6=np.uint64(freed), v0=LANES * 4, **registers)
    return str(caught.value)


def test_faults_name_instruction_and_thread():
    text = stopped(AddressFault, "global_load_dword v6, v0, s[4:5]", "4 bytes outside every allocation")
    assert "global_load_dword" in text and "in lines" in text and "thread (16, 0, 0) of block (0, 0, 0)" in text
    stopped(AddressFault, "global_store_dword v0, v0, s[6:7]", "use after free")
    stopped(AddressFault, "s_load_dwordx2 s[8:9], s[6:7], 0x0", "use after free")
    stopped(AddressFault, "s_mov_b64 exec, 1 | global_atomic_add v0, v0, s[4:5] offset:2", "misaligned atomic access of 4 bytes")
    stopped(AddressFault, "ds_write_b32 v0, v0", "4 bytes outside 64 bytes of shared memory at address 0x40")
    stopped(UninitializedFault, "v_mov_b32 v1, 0 | ds_read_b32 v6, v1", "4 bytes of shared memory that nobody wrote")
    stopped(UninitializedFault, "scratch_load_dword v6, off, off offset:8", "4 bytes of private memory that nobody wrote")
    stopped(StackFault, "scratch_store_dword off, v0, off offset:32", "4 bytes outside 32 bytes of private memory")
    stopped(TrapFault, "s_trap 2", "trap")


def test_a_lane_that_is_off_does_no_harm():
    wave = Wave("gfx942")
    place = wave.machine.arena.allocate(64)
    wave.run("s_mov_b64 exec, 0xffff | global_store_dword v0, v0, s[4:5] | s_mov_b64 exec, 0 | global_store_dword v0, v0, s[6:7]", v0=LANES * 4,
             s4=np.uint64(place), s6=np.uint64(64))
    assert wave.machine.arena.slice(place, 64).view(np.uint32).tolist() == list(range(0, 64, 4))


def test_what_it_does_not_know_is_refused_by_name():
    stopped(UnknownCode, "v_mfma_f32_4x4x1_16b_f32 v[4:7], v0, v1, v[4:7]", "V_MFMA_F32_4X4X1_16B_F32")
    stopped(UnknownCode, "v_cvt_pk_fp8_f32 v6, v0, v1", "V_CVT_PK_FP8_F32")
    stopped(UnknownCode, "v_cvt_pk_bf8_f32 v6, v0, v1", "V_CVT_PK_BF8_F32")
    stopped(UnknownCode, "global_load_lds_dword v0, s[4:5]", "GLOBAL_LOAD_LDS_DWORD")
    stopped(UnknownCode, "s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)", "S_GETREG_B32 of register 3")


def test_other_architectures_are_refused_by_name(monkeypatch):
    monkeypatch.setitem(WAVES, "gfx803", 64)
    monkeypatch.setitem(KNOWN, ("gfx803", END), KNOWN["gfx942", END])
    with pytest.raises(UnknownCode, match="gfx803: there are tables for"):
        Wave("gfx803").run(END)


def test_windows_are_where_registers_say():
    wave = Wave("gfx942").run("s_mov_b64 s[4:5], src_shared_base | s_mov_b64 s[6:7], src_private_base | s_mov_b32 s8, src_shared_limit")
    assert int(wave.get("s4", np.uint64)[0]) == SHARED_WINDOW and int(wave.get("s6", np.uint64)[0]) == PRIVATE_WINDOW


@pytest.mark.skipif(ASSEMBLER is None, reason="no llvm-mc-22 on this machine")
def test_the_assembler_still_says_so():
    for architecture in sorted({architecture for architecture, _ in KNOWN} & set(WAVES)):
        rows = {text: data for (name, text), data in KNOWN.items() if name == architecture}
        assert assembled(architecture, " | ".join(rows)) == b"".join(rows.values()), architecture


@pytest.mark.parametrize("width", [32, 64])
def test_masks_of_truths_in_any_order_of_memory(width):
    """What is read of memory may come column by column."""
    from hetjit.emulation.amd.lanes import lanes, mask_of
    truth = np.arange(3 * width).reshape(3, width) % 7 == 2
    for stored in (np.ascontiguousarray(truth), np.asfortranarray(truth), truth[::-1][::-1]):
        assert (lanes(mask_of(stored, None, width, 3)) == truth).all()
        assert (lanes(mask_of(stored, truth[::-1], width, 3)) == (truth & truth[::-1])).all()
