"""A few random kernels whose threads work together, on every run of the tests; `./dev fuzz --kernels N` runs as many as wanted (run.py)."""

import functools
import math
import random
import zlib

import pytest

import blocks
import compare
import compare_blocks
import run

KERNELS = 30
ON_MACHINES = {"emu:sm_90": KERNELS, "emu:sm_75": 8, "emu:sm_100": 8, "emu:gfx1100": 8, "emu:gfx942": 8}


def drawn(seed, where=""):
    chance = random.Random(seed)
    return run.drawn("kernels", lambda options: chance.randrange(options), where)


@functools.cache
def many(where=""):
    """The text of many kernels."""
    return "\n".join(drawn(seed, where).source for seed in range(1000))


def test_random_kernels_agree():
    verdicts, refusals, report = run.hunt(KERNELS, seed=20, kind="kernels")
    assert not report, report
    assert verdicts["same"] >= 0.9 * KERNELS, refusals


@pytest.mark.always
@pytest.mark.parametrize("where", ON_MACHINES)
def test_random_kernels_agree_on_a_machine(where):
    count = ON_MACHINES[where]
    verdicts, refusals, report = run.hunt(count, seed=zlib.crc32(where.encode()), kind="kernels", where=where)
    assert not report, report
    assert verdicts["same"] >= 0.9 * count, refusals


def test_random_kernels_agree_where_memory_is_weak():
    """A kernel has no race, and one result in every order; its barriers, locks and flags order what they must."""
    run.weaken("emu:sm_89", 1)
    verdicts, refusals, report = run.hunt(8, seed=22, kind="kernels", where="emu:sm_89")
    assert not report, report
    assert verdicts["same"] >= 6, refusals


@pytest.mark.parametrize("where, lanes", [("", 32), ("emu:sm_90", 32), ("emu:gfx1100", 32), ("emu:gfx942", 64)])
def test_kernels_are_for_the_warps_of_the_device(where, lanes):
    text = many(where)
    for word in (f"lane = t % {lanes}\n", f"(t * 7) % {lanes}", f"t % {lanes + 8}"):
        assert word in text
    assert f"(t * 7) % {96 - lanes}" not in text


def test_threads_that_take_others_places_are_found(monkeypatch):
    """The host is given each kernel with places in rows of a warp, as if a block had no other shape."""
    whole = compare_blocks.on_the_host

    def in_rows(kernel, function, seed, way):
        source = kernel.source.replace("device.thread_idx.y", "0").replace("device.thread_idx.x", "t")
        return whole(kernel, compare.load(source.replace("t = device.int32(t) + w * (device.int32(0) +", "t = device.int32(device.thread_idx.x) + w * ("
                                                         "device.int32(device.thread_idx.y) +")), seed, way)
    monkeypatch.setattr(compare_blocks, "on_the_host", in_rows)
    assert any(compare_blocks.compare_kernel(drawn(seed), seed).verdict == "different" for seed in range(40))


def test_missing_barriers_are_found(monkeypatch):
    """The host is given each kernel without its barriers."""
    whole = compare_blocks.on_the_host

    def hasty(kernel, function, seed, way):
        return whole(kernel, compare.load(kernel.source.replace("device.syncthreads()", "pass")), seed, {"tier": "threads"})
    monkeypatch.setattr(compare_blocks, "on_the_host", hasty)
    assert any(compare_blocks.compare_kernel(drawn(seed), seed).verdict == "different" for seed in range(40))


def test_kernels_are_the_same_for_the_same_seed():
    assert drawn(7) == drawn(7) and drawn(7) != drawn(8)


def test_warps_of_another_size_are_found(monkeypatch):
    """The interpreter is asked for warps of 32 lanes, where the machine's have 64."""
    monkeypatch.setattr(compare_blocks, "target_of", lambda where: "cpu")
    kernels = [run.drawn("kernels", random.Random(seed).randrange, "emu:sm_90") for seed in range(20)]
    warps = [kernel for kernel in kernels if "lane = t" in kernel.source]
    assert any(compare_blocks.compare_kernel(kernel, 1, "emu:gfx942").verdict == "different" for kernel in warps)


def test_a_wrong_machine_is_found(monkeypatch):
    """It is given each kernel with differences for sums."""
    whole = compare_blocks.by_device

    def other(kernel, function, *rest):
        return whole(kernel, compare.load(kernel.source.replace(" + ", " - ")), *rest)
    monkeypatch.setattr(compare_blocks, "by_device", other)
    assert any(compare_blocks.compare_kernel(drawn(seed), seed, "emu:sm_90").verdict == "different" for seed in range(5))


@pytest.mark.parametrize("words", [
    ("syncthreads()", "syncthreads_count(", "syncthreads_and(", "syncthreads_or(", "syncgrid()", "dynamic_shared_array(", "local_array(", "order='F'",
     "return", "for ", "while ", "break", "continue", "else:", "def f0(", "and device.thread_idx.x + "),
    ("shfl_sync(", "shfl_up_sync(", "shfl_down_sync(", "shfl_xor_sync(", "ballot_sync(", "all_sync(", "any_sync(", "eq_sync(", "match_any_sync(",
     "match_all_sync(", "~m"),
    ("and device.syncthreads_or(", "not device.syncthreads_and(", "and device.any_sync(", "while device.ballot_sync(", "device.eq_sync(device.FULL_MASK", ") % 16] if "),
    ("atomic.add(", "atomic.sub(", "atomic.max(", "atomic.nanmin(", "atomic.cas(", "atomic.exch(", ".lock()", ".wait(0)", "queue[", "scope='block'"),
    ("range(t, 128, size)", "mail[", "device.grid_size(1)", "; continue", " < 3:", "device.thread_idx.x // 32", "device.tid(1) & 31"),
    ("deep(", "long(", "device.thread_idx.y", "device.tid(3)"),
    ("shared_array(128, Node", "shared_array(128, device.complex64", "shared_array(128, device.float16", "shared_array(128, bool", "shared_array(128, device.bfloat16", "int8x3", "int64"),
], ids=("barriers", "warps", "votes", "atomics", "loops", "calls", "types"))
def test_every_kind_of_statement_appears(words):
    for word in words:
        assert word in many(), word


def test_blocks_of_all_shapes_appear():
    made = [drawn(seed) for seed in range(400)]
    shapes = {kernel.block for kernel in made}
    assert shapes > set(blocks.BLOCKS) and {kernel.grid for kernel in made} == set(blocks.GRIDS)
    sides = [(shape,) if isinstance(shape, int) else shape for shape in shapes]
    assert {len(shape) for shape in sides} == {1, 2, 3} and max(map(math.prod, sides)) == blocks.MOST_THREADS
    assert all(sum(len(shape) == axes and math.prod(shape) % 32 > 0 and shape[0] % 32 > 0 for shape in sides) > 20 for axes in (1, 2, 3))
    assert any(kernel.cooperative for kernel in made) and any(kernel.shared for kernel in made)
