"""Warp functions that not all lanes of their mask come to: what check="warp" finds, and what it must not."""

import itertools

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import simt_kernels
import test_simt
from hetjit import _core, device
from shapes import rank

FULL = device.FULL_MASK


@device.struct
class Pair:
    a: device.float64
    b: device.int32


# ---- lanes that do not come

def shuffle_in_a_branch(x, n):
    i = rank()
    if i < n:
        x[i] = device.shfl_down_sync(FULL, x[i], 1)


def shuffle_of_one_lane(x, n):
    if device.lane_id < 8:
        x[rank()] = device.shfl_sync(FULL, device.lane_id * 3, 20)


def barrier_in_a_branch(x, n):
    if device.lane_id < 8:
        device.syncwarp()
    x[rank()] = 1


def barrier_with_a_mask(x, n):
    if device.lane_id < 7:
        device.syncwarp(0xFF)
    x[rank()] = 1


def vote_in_a_branch(x, n):
    if rank() % 2:
        x[rank()] = device.any_sync(FULL, True)


def all_in_a_branch(x, n):
    if rank() % 2:
        x[rank()] = device.all_sync(FULL, True)


def equal_in_a_branch(x, n):
    if rank() % 2:
        x[rank()] = device.eq_sync(FULL, True)


def ballot_in_a_branch(x, n):
    if rank() % 2:
        x[rank()] = device.ballot_sync(FULL, True)


def match_in_a_branch(x, n):
    if rank() % 2:
        x[rank()] = device.match_any_sync(FULL, 1)


def match_all_in_a_branch(x, n):
    if rank() % 2:
        x[rank()] = device.match_all_sync(FULL, 1)[1]


def struct_in_a_branch(x, n):
    if rank() % 2:
        x[rank()] = device.shfl_xor_sync(FULL, Pair(1.0, rank()), 2).b


def wide_in_a_branch(x, n):
    if rank() % 2:
        x[rank()] = device.shfl_up_sync(FULL, device.int64(rank()), 2)


def mask_of_run_time(x, n):
    if rank() % 32 < 5:
        x[rank()] = device.ballot_sync(n - 1, True)  # n - 1 is 40: lanes 3 and 5


def two_calls(x, n):
    if rank() % 32 < n - 31:
        x[rank()] = device.any_sync(FULL, True)
    else:
        x[rank()] = device.any_sync(FULL, False)


def total(value):
    step = 16
    while step:
        value += device.shfl_xor_sync(FULL, value, step)
        step //= 2
    return value


def in_a_function(x, n):
    if rank() % 32 != 3:
        x[rank()] = total(rank())


def another_number_of_turns(x, n):
    for k in range(n - 32 + rank() % 3):
        x[rank()] += device.any_sync(FULL, k > 2)


def after_a_break(x, n):
    for k in range(4):
        if rank() % 32 == k + 9:
            break
        device.syncwarp()
    x[rank()] = 1


def behind_a_return(x, n):
    if rank() >= n:
        return
    if x[rank()] != 4:
        device.syncwarp()
    x[rank()] += 1


def unlike_masks(x, n):
    if rank() % 32 < 16:
        x[rank()] = device.ballot_sync(FULL if rank() % 4 else 0xFFFF, True)


MISSING = {shuffle_in_a_branch: "'shfl_down_sync' waits for lane 9, which does not come: the mask is 0xffffffff, and lanes 0xfffffe00 of it are elsewhere",
           shuffle_of_one_lane: "'shfl_sync' waits for lane 8, which does not come: the mask is 0xffffffff, and lanes 0xffffff00 of it are elsewhere",
           barrier_in_a_branch: "'syncwarp' waits for lane 8", barrier_with_a_mask: "'syncwarp' waits for lane 7, which does not come: the mask is 0xff, and lanes 0x80 ",
           vote_in_a_branch: "'any_sync' waits for lane 0", all_in_a_branch: "'all_sync' waits for lane 0", equal_in_a_branch: "'eq_sync' waits for lane 0",
           ballot_in_a_branch: "'ballot_sync' waits for lane 0", match_in_a_branch: "'match_any_sync' waits for lane 0",
           match_all_in_a_branch: "'match_all_sync' waits for lane 0", struct_in_a_branch: "'shfl_xor_sync' waits for lane 0",
           wide_in_a_branch: "'shfl_up_sync' waits for lane 0", two_calls: "'any_sync' waits for lane",
           in_a_function: "'shfl_xor_sync' waits for lane 3", another_number_of_turns: "'any_sync' waits for lane",
           after_a_break: "'syncwarp' waits for lane 9", behind_a_return: "'syncwarp' waits for lane 4", unlike_masks: "'ballot_sync' waits for lane"}
TIERS = ("whole", "warps", "threads")
WAYS = [*itertools.product(TIERS, ("16",)), ("whole", "1"), ("warps", "8")]
TOGETHER = "at different places|waits for lane|ends here|at barriers"  # threads one by one may be found waiting at places that are not the same


def watched(function, check="warp"):
    return device.kernel(check=check)(function)


@pytest.mark.row("HETX-WS-2")
@pytest.mark.parametrize("tier, lanes", WAYS)
@pytest.mark.parametrize("function", MISSING, ids=lambda function: function.__name__)
def test_a_lane_that_does_not_come_is_found(function, tier, lanes, monkeypatch):
    monkeypatch.setenv("HETJIT_TIER", tier)
    monkeypatch.setenv("HETJIT_LANES", lanes)
    for check in ("warp", "all"):
        for block in (64, (16, 4), (8, 4, 2)):
            with pytest.raises(device.BarrierError, match=MISSING[function] if tier == "whole" and lanes == "16" else MISSING[function] + "|" + TOGETHER) as found:
                watched(function, check)[1, block](np.arange(64, dtype=np.int32), 41)
            assert found.value.kernel == function.__name__ and found.value.block == (0, 0, 0)


def test_without_the_check_nothing_is_said():
    watched(barrier_in_a_branch, "bounds,race,init,arith")[1, 64](np.zeros(64, np.int32), 41)


@pytest.mark.row("HETX-WS-2")
@pytest.mark.parametrize("where", ("emu:sm_90", "emu:gfx942"))
@pytest.mark.parametrize("function", (shuffle_in_a_branch, shuffle_of_one_lane, vote_in_a_branch, struct_in_a_branch, match_in_a_branch, mask_of_run_time),
                         ids=lambda function: function.__name__)
def test_gpus_find_it_too(function, where):
    x = device.array(np.arange(64, dtype=np.int32), where)
    with pytest.raises(device.CheckError, match="waits for lane|does not name it"):
        watched(function)[1, 64](x, 41)
        device.synchronize()
        device.to_numpy(x)


# ---- lanes that are read and take no part

def beyond_the_block(x, n):
    x[rank()] = device.shfl_down_sync(FULL, rank(), 1)


def of_a_lane_that_returned(x, n):
    if rank() >= n:
        return
    x[rank()] = device.shfl_down_sync(FULL, rank(), 1)


def by_number(x, n):
    x[rank()] = device.shfl_sync(FULL, Pair(2.0, rank()), n % 32).b


@pytest.mark.row("HETX-WS-2")
@pytest.mark.parametrize("where", ("cpu", "emu:sm_90", "emu:gfx942"))
@pytest.mark.parametrize("function, block, says", [(beyond_the_block, 41, "'shfl_down_sync' reads lane [49]1?, which takes no part: lanes 0x1f*f do"),
                                                   (of_a_lane_that_returned, 64, "'shfl_down_sync' reads lane [49]1?, which takes no part: lanes 0x1f*f do"),
                                                   (by_number, 40, "'shfl_sync' reads lane 9, which takes no part: lanes 0xff do")],
                         ids=("beyond", "returned", "number"))
def test_a_lane_that_is_read_takes_part(function, block, says, where, monkeypatch):
    if where == "emu:gfx942" and function is by_number:
        pytest.skip("lane 9 is there where a warp has 64")
    for tier in TIERS if where == "cpu" else TIERS[:1]:
        monkeypatch.setenv("HETJIT_TIER", tier)
        for check in ("warp", "all"):
            x = device.array(np.zeros(64, np.int32), where) if where != "cpu" else np.zeros(64, np.int32)
            with pytest.raises(device.BoundsError, match=says):
                watched(function, check)[1, block](x, 41)
                device.to_numpy(x)


# ---- what is right

def warp_sums(x, n):
    x[rank()] = total(x[rank()])


def of_those_who_are_active(x, n):
    if rank() % 3 == 0:
        mask = device.activemask()
        x[rank()] = device.ballot_sync(mask, True).bit_count() - mask.bit_count() + device.shfl_sync(mask, 1, device.ffs(mask) - 1)


def of_a_ballot(x, n):
    i = rank()
    mask = device.ballot_sync(FULL, i < n)
    if i < n:
        lane = device.lane_id
        x[i] = device.shfl_sync(mask, x[i], min(lane + 1, mask.bit_count() - 1))
        device.syncwarp(mask)


def votes_of_those_who_are_left(x, n):
    i = rank()
    if i >= n:
        return
    device.syncwarp()
    x[i] = device.ballot_sync(FULL, True).bit_count()
    for k in range(3):
        if i == k + 4:
            return
        device.syncwarp()
        x[i] += device.any_sync(FULL, i > 40) + device.all_sync(FULL, i >= 0)


def in_loops(x, n):
    i = rank()
    for k in range(i % 5):
        x[i] += k
    left = i % 7
    while device.any_sync(FULL, left > 0):
        if left > 0:
            left -= 1
    device.syncwarp()
    mask = device.ballot_sync(FULL, i % 2)
    if i % 2:
        for k in range(n % 4):
            x[i] += device.match_any_sync(mask, k).bit_count()
    else:
        device.syncwarp(~mask)
    device.syncthreads()
    x[i] += device.match_all_sync(FULL, 5)[1]


def parts_of_warps(x, n):
    i = rank()
    if device.lane_id < 16:
        x[i] = device.shfl_xor_sync(0xFFFF, i, 3)
    else:
        x[i] = device.shfl_xor_sync(0xFFFF0000, i, 3)


RIGHT = (warp_sums, of_those_who_are_active, of_a_ballot, votes_of_those_who_are_left, in_loops, parts_of_warps)


@pytest.mark.row("HETX-WS-2")
@pytest.mark.parametrize("tier, lanes", WAYS)
@pytest.mark.parametrize("function", [*RIGHT[:-1], pytest.param(parts_of_warps, marks=pytest.mark.differs("masks of warps of 32", where="emu:gfx942"))],
                         ids=lambda function: function.__name__)
def test_nothing_is_said_of_what_is_right(function, tier, lanes, monkeypatch):
    monkeypatch.setenv("HETJIT_TIER", tier)
    monkeypatch.setenv("HETJIT_LANES", lanes)
    for block in (64, (8, 8)) if function in (warp_sums, parts_of_warps) else (64, 1, 31, 33, 50, (7, 3, 2)):
        plain, checked = np.arange(64, dtype=np.int32), np.arange(64, dtype=np.int32)
        watched(function, "")[1, block](plain, 41)
        watched(function, "all")[1, block](checked, 41)
        np.testing.assert_array_equal(plain, checked, str(block))


@pytest.mark.parametrize("where", ("emu:sm_90", "emu:gfx942"))
@pytest.mark.parametrize("function", RIGHT[:-1], ids=lambda function: function.__name__)
def test_nothing_is_said_on_gpus(function, where):
    for block in (64,) if function is warp_sums else (64, 33):
        results = []
        for check in ("", "all"):
            x = device.array(np.arange(64, dtype=np.int32), where)
            watched(function, check)[1, block](x, 41)
            results.append(device.to_numpy(x))
        np.testing.assert_array_equal(*results, str(block))


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("name", simt_kernels.CASES)
def test_sound_kernels_say_nothing(name, tier, monkeypatch):
    monkeypatch.setenv("HETJIT_TIER", tier)
    case = simt_kernels.CASES[name]
    arguments = case.arguments()
    kernel = watched(case.kernel.underlying).on("cpu")
    test_simt.within(100, lambda: kernel[case.grid, case.block, None, case.shared, case.cooperative](*arguments))
    test_simt.check(arguments, case.expect(*case.arguments()))


@pytest.mark.parametrize("function", (*MISSING, beyond_the_block, of_a_lane_that_returned), ids=lambda function: function.__name__)
def test_the_interpreter_finds_it(function, monkeypatch):
    monkeypatch.setenv("HETJIT_CHECK", "warp")
    with pytest.raises((device.CheckError, _core.Error if hasattr(_core, "Error") else ValueError), match="waits for lane|takes no part|barrier divergence"):
        _core.interpret(_core.capture(function), (np.arange(64, dtype=np.int32), 41), 1, 41 if function is beyond_the_block else 64)
