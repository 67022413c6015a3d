"""Lanes that do not exist, or that a mask does not name: what warp functions give, and what the checks find."""

import functools
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import shapes
from hetjit import _core, device
from shapes import blocks_of, rank

THREADS = (1, 31, 33, 48, 96, 100)
WARP = 32  # lanes of a warp


def shuffles(out):
    t = device.int32(rank())
    v = t * 3 + 1
    by = t % 37
    out[t, 0] = device.shfl_sync(device.FULL_MASK, v, 0)
    out[t, 1] = device.shfl_sync(device.FULL_MASK, v, WARP - 1)
    out[t, 2] = device.shfl_sync(device.FULL_MASK, v, (t * 7) % WARP)
    out[t, 3] = device.shfl_sync(device.FULL_MASK, v, device.int32(len(out)) % WARP)
    out[t, 4] = device.shfl_up_sync(device.FULL_MASK, v, 3)
    out[t, 5] = device.shfl_up_sync(device.FULL_MASK, v, by)
    out[t, 6] = device.shfl_up_sync(device.FULL_MASK, v, 33)
    out[t, 7] = device.shfl_down_sync(device.FULL_MASK, v, 3)
    out[t, 8] = device.shfl_down_sync(device.FULL_MASK, v, by)
    out[t, 9] = device.shfl_down_sync(device.FULL_MASK, v, 100)
    out[t, 10] = device.shfl_xor_sync(device.FULL_MASK, v, 5)
    out[t, 11] = device.shfl_xor_sync(device.FULL_MASK, v, by)
    out[t, 12] = device.shfl_xor_sync(device.FULL_MASK, v, 16)
    pair = device.shfl_down_sync(device.FULL_MASK, (device.float64(v), v % 2 == 0, device.int8(v)), 1)
    out[t, 13] = device.int32(pair[0]) + 1000 * pair[1] + 10000 * device.int32(pair[2])
    out[t, 14] = 77 if device.shfl_sync(device.FULL_MASK, t // WARP, WARP - 1) == t // WARP else 0


def shuffled(threads):
    def read(t, lane):
        return t // WARP * WARP + lane if 0 <= lane < WARP and t // WARP * WARP + lane < threads else t

    rows = []
    for t in range(threads):
        lane, by = t % WARP, t % 37
        sources = [0, WARP - 1, t * 7 % WARP, threads % WARP, lane - 3, lane - by, lane - 33, lane + 3, lane + by, lane + 100, lane ^ 5, lane ^ by, lane ^ 16]
        next_ = read(t, lane + 1) * 3 + 1
        small = int(np.array(next_).astype(np.int8))
        rows.append([read(t, source) * 3 + 1 for source in sources] + [next_ + 1000 * (next_ % 2 == 0) + 10000 * small, 77])
    return np.array(rows, np.int32)


def votes(out):
    t = device.int32(rank())
    every = device.FULL_MASK
    out[t, 0] = device.all_sync(every, t >= 0)
    out[t, 1] = device.any_sync(every, t < 0)
    out[t, 2] = device.eq_sync(every, t >= 0) + 2 * device.eq_sync(every, t % WARP < 1)
    out[t, 3] = device.ballot_sync(every, t % 3 == 0)
    out[t, 4] = device.match_any_sync(every, t % 3)
    mask, same = device.match_all_sync(every, t // WARP)
    out[t, 5] = device.int32(mask) + 2 * same
    mask, same = device.match_all_sync(every, (t // 1000, t % WARP < 1))
    out[t, 6] = device.int32(mask) + 2 * same
    device.syncwarp()
    odd = device.ballot_sync(every, t % 2)
    if t % 2:
        out[t, 7] = device.ballot_sync(odd, True) ^ device.match_all_sync(odd, 5)[0] ^ device.match_any_sync(odd, 5)
        out[t, 8] = device.shfl_sync(odd, t, device.ffs(odd) - 1)
    out[t, 9] = device.syncthreads_count(t % 2 == 0)
    out[t, 10] = device.syncthreads_and(t >= 0) + 2 * device.syncthreads_or(t == 0) + 4 * device.syncthreads_and(t > 0)
    total = t
    step = WARP // 2
    while step:
        other = device.shfl_xor_sync(every, total, step)
        total += other if t ^ step < device.int32(len(out)) else total
        step //= 2
    out[t, 11] = total


def voted(threads):
    rows, totals = [], {t: t for t in range(threads)}
    for step in [step for step in (32, 16, 8, 4, 2, 1) if step < WARP]:
        totals = {t: totals[t] + totals[t ^ step if (t ^ step) < threads else t] for t in range(threads)}
    for t in range(threads):
        lanes = range(t // WARP * WARP, min(threads, t // WARP * WARP + WARP))

        def mask(wanted):
            return sum(1 << k % WARP for k in lanes if wanted(k))
        alone, odd, here = len(lanes) == 1, mask(lambda k: k % 2), mask(lambda k: True)
        rows.append([1, 0, 1 + 2 * alone, mask(lambda k: k % 3 == 0), mask(lambda k: k % 3 == t % 3), here + 2, here + 2 if alone else 0,
                     odd if t % 2 else 0, lanes[0] + 1 if t % 2 else 0, (threads + 1) // 2, 3 + 4 * 0, totals[t]])
    return (np.array(rows, object) & 0xFFFFFFFF).astype(np.uint32).view(np.int32)  # wraps


WAYS = [(tier, lanes, "") for tier in ("whole", "warps", "threads") for lanes in ("1", "8", "16")][1:] + [("whole", "16", "bounds"), ("threads", "16", "bounds")]


@pytest.mark.row("HETX-WS-2", "HETX-BS-1")
@pytest.mark.parametrize("function, expected", [
    pytest.param(shuffles, shuffled, id="shuffles", marks=pytest.mark.differs("on AMD the hardware answers for lanes that no thread is", where="emu:gfx942")),
    pytest.param(votes, voted, id="votes")])
def test_lanes_that_no_thread_is(function, expected, monkeypatch):
    wanted = {threads: expected(threads) for threads in THREADS}
    for tier, lanes, check in WAYS:
        monkeypatch.setenv("HETJIT_TIER", tier)
        monkeypatch.setenv("HETJIT_LANES", lanes)
        kernel = device.kernel(check=check)(function)
        for threads in THREADS:
            for block in blocks_of(threads):
                out = np.zeros_like(wanted[threads])
                kernel[1, block](out)
                np.testing.assert_array_equal(out, wanted[threads], f"{tier}, {lanes} lanes, {check}, {block}")


@pytest.mark.parametrize("target", ("cpu", "hip:gfx942"))
@pytest.mark.parametrize("name", ("shuffles", "votes"))
def test_lanes_that_no_thread_is_by_the_interpreter(name, target):
    function, expected = edges(target)[name]
    program = _core.capture(function)
    for threads in THREADS:
        wanted = expected(threads)
        for block in blocks_of(threads)[:4]:
            out = np.zeros_like(wanted)
            _core.interpret(program, (out,), 1, block, target=target)
            np.testing.assert_array_equal(out, wanted, str(block))


@functools.cache
def edges(target):
    """{name: (kernel, what it must leave)} for the target's warps."""
    module = sys.modules[__name__]
    if target.startswith("hip:gfx9"):
        module = shapes.with_constants(module, WARP=64)
    return {"shuffles": (module.shuffles, module.shuffled), "votes": (module.votes, module.voted)}


def reads_thread_index(out):
    """Each thread of a block writes its place, read before, between and behind what lanes do together."""
    first = device.thread_idx
    device.syncwarp()
    t = device.thread_idx
    lane = device.shfl_sync(device.FULL_MASK, device.lane_id, device.lane_id)
    z, y, x = device.thread_idx.z, device.thread_idx.y, device.thread_idx.x
    if device.any_sync(device.FULL_MASK, x > 0):
        device.syncthreads()
    out[rank(), 0], out[rank(), 1], out[rank(), 2], out[rank(), 3] = x, y, z, lane
    i, j, k = device.tid(3)
    out[rank(), 4] = (first == t) and i == x and j == y and k == z


@pytest.mark.row("HETX-WS-2")
@pytest.mark.parametrize("tier", ("whole", "warps", "threads"))
def test_thread_indices_in_blocks_of_every_shape(tier, monkeypatch):
    monkeypatch.setenv("HETJIT_TIER", tier)
    kernel = device.kernel(reads_thread_index)
    draw = np.random.default_rng(3)
    shapes = [(16, 16), (48, 2), (33, 3, 2), (8, 8), (1, 1, 64), (31, 33)]
    shapes += [tuple(int(n) for n in draw.integers(1, (64, 12, 2))) for _ in range(30)]
    for block in shapes:
        x, y, z = (*block, 1, 1)[:3]
        out = np.zeros((x * y * z, 5), np.int32)
        kernel[1, block](out)
        wanted = [(i, j, k, (i + x * (j + y * k)) % 32, 1) for k in range(z) for j in range(y) for i in range(x)]
        np.testing.assert_array_equal(out, wanted, str(block))


# ---- what the checks find

def a_lane_above(x):
    x[rank()] = device.shfl_sync(device.FULL_MASK, rank(), x[0] + 40)


def a_lane_below(x):
    x[rank()] = device.shfl_sync(device.FULL_MASK, rank(), x[0] - 1)


def without_itself(x):
    if rank() % 32 < 4:
        x[rank()] = device.ballot_sync(x[0] + 7, True)


def barrier_without_itself(x):
    device.syncwarp(device.int32(1) << ((rank() + 1) % 32))


def vote_without_itself(x):
    if rank() % 32 == 3:
        x[0] = device.any_sync(device.WarpMask(4), True)


def match_without_itself(x):
    if rank() % 32 == 5:
        x[0] = device.match_any_sync(device.WarpMask(4), x[0])


def shuffle_without_itself(x):
    if rank() % 32 == 5:
        x[0] = device.shfl_sync(device.WarpMask(4), x[0], 2)


def reads_a_lane_outside_of_the_mask(x):
    if rank() % 32 < 8:
        x[rank()] = device.shfl_sync(0xFF, rank(), 9)


def looks_down_beyond_the_mask(x):
    if rank() % 32 < 8:
        x[rank()] = device.shfl_down_sync(0xFF, rank(), 2)


def looks_up_beyond_the_mask(x):
    if rank() % 32 >= 8:
        x[rank()] = device.shfl_up_sync(0xFFFFFF00, rank(), 1)


def looks_across_beyond_the_mask(x):
    if rank() % 32 < 8:
        x[rank()] = device.shfl_xor_sync(0xFF, rank(), 8)


FAULTS = {a_lane_above: "'shfl_sync' reads lane 40 of a warp of 32 lanes", a_lane_below: "'shfl_sync' reads lane -1 of a warp of 32 lanes",
          without_itself: "lane 3 calls 'ballot_sync' with a mask that does not name it", barrier_without_itself: "calls 'syncwarp' with a mask",
          vote_without_itself: "lane 3 calls 'any_sync' with a mask", match_without_itself: "lane 5 calls 'match_any_sync' with a mask",
          shuffle_without_itself: "lane 5 calls 'shfl_sync' with a mask",
          reads_a_lane_outside_of_the_mask: "'shfl_sync' reads lane 9, which its mask does not name",
          looks_down_beyond_the_mask: "'shfl_down_sync' reads lane [89], which its mask does not name",
          looks_up_beyond_the_mask: "'shfl_up_sync' reads lane 7, which its mask does not name",
          looks_across_beyond_the_mask: r"'shfl_xor_sync' reads lane \d+, which its mask does not name"}


@pytest.mark.row("HETX-WS-2")
@pytest.mark.parametrize("check", ("bounds", "all"))
@pytest.mark.parametrize("function", FAULTS, ids=lambda function: function.__name__)
def test_a_lane_outside_is_found(function, check, monkeypatch):
    for tier, block in (("whole", 64), ("threads", (5, 3, 3))):
        monkeypatch.setenv("HETJIT_TIER", tier)
        with pytest.raises(device.BoundsError, match=FAULTS[function]):
            device.kernel(check=check)(function)[1, block](np.zeros(64, np.int32))


@pytest.mark.row("HETX-WS-2")
@pytest.mark.parametrize("function", FAULTS, ids=lambda function: function.__name__)
def test_a_lane_outside_is_found_by_the_interpreter(function, monkeypatch):
    monkeypatch.setenv("HETJIT_CHECK", "bounds")
    with pytest.raises(device.BoundsError, match=FAULTS[function]):
        _core.interpret(_core.capture(function), (np.zeros(64, np.int32),), 1, 64)


@pytest.mark.parametrize("target", ("cuda:sm_90", "hip:gfx90a"))
def test_gpus_look_too(target, monkeypatch):
    monkeypatch.setenv("HETJIT_CHECK", "bounds")
    phase = "ptx" if target.startswith("cuda") else "amdgcn"
    assert "hetjit_error" in _core.show(_core.capture(looks_down_beyond_the_mask), phase, "(int32[:])", target, kernel=True)


PREDICATES = ('"x"', "None", "(1, 2)", "0.5", "1j", 'lambda: "x"', "lambda: None", "device.int32x2(1, 2)", "x", "[]")


@pytest.mark.row("HETX-GEN-2", "HETX-BS-1", "HETX-WS-2")
@pytest.mark.parametrize("predicate", PREDICATES)
@pytest.mark.parametrize("call", ("syncthreads_count(", "syncthreads_and(", "syncthreads_or(", "ballot_sync(-1, ", "any_sync(-1, ", "all_sync(-1, ",
                                  "eq_sync(-1, "))
def test_a_predicate_is_a_bool_or_an_integer(call, predicate):
    scope = {"device": device}
    exec(f"def kernel(x):\n    x[0] = device.{call}{predicate})\n", scope)
    with pytest.raises(device.CompileError, match=r"E0212.*a bool, an integer or a function that gives one|E05|E04|E01|E03"):
        _core.show(_core.capture(scope["kernel"]), "typed", "(int32[:])", kernel=True)


# ---- barriers that some threads go round

def own():
    """An element that no other block writes: that would be a race."""
    return device.block_idx.x * 64 + rank()


def in_a_branch(x):
    if rank() < 40:
        device.syncthreads()
    x[own()] = 1


def in_a_branch_at_the_end(x):
    if rank() < 40:
        x[own()] = 1
        device.syncthreads()


def in_one_of_two_branches(x):
    if rank() < 40:
        x[own()] = device.syncthreads_count(True)
    else:
        x[own()] = 1


def another_number_of_turns(x):
    for _ in range(rank() % 2 + 1):
        device.syncthreads()


def meets(x):
    device.syncthreads()
    x[own()] += 1


def in_a_function(x):
    if rank() % 32 < 7:
        meets(x)


def of_one_warp(x):
    if rank() < 32:
        device.syncthreads()
    else:
        device.syncwarp()


@pytest.mark.row("HETX-BS-1")
@pytest.mark.parametrize("check", ("race", "all"))
@pytest.mark.parametrize("function", (in_a_branch, in_a_branch_at_the_end, in_one_of_two_branches, another_number_of_turns, in_a_function, of_one_warp),
                         ids=lambda function: function.__name__)
def test_a_barrier_that_some_go_round_is_found(function, check, monkeypatch):
    for tier in ("whole", "threads"):
        monkeypatch.setenv("HETJIT_TIER", tier)
        with pytest.raises(device.BarrierError, match="at different places|ends here"):
            device.kernel(check=check)(function)[2, 64](np.zeros(128, np.int32))


def returns_before(x):
    if rank() >= 40:
        return
    device.syncthreads()
    x[rank()] = 1


def returns_between(x):
    device.syncthreads()
    if rank() % 3 == 0:
        return
    for _ in range(3):
        device.syncthreads()
        if rank() == 7:
            return
    x[rank()] = 1


def all_alike(x):
    if device.block_idx.x == 0:
        device.syncthreads()
    else:
        x[rank()] = 1


@pytest.mark.parametrize("function", (returns_before, returns_between, all_alike), ids=lambda function: function.__name__)
def test_a_thread_that_returns_goes_round_nothing(function):
    device.kernel(check="all")(function)[2 if function is all_alike else 1, 64](np.zeros(64, np.int32))
