"""Kernels that work in shared memory, with blocks as the lanes of vectors: the same thread of several blocks is one. The same bits as thread by thread, in grids
and blocks of every shape, of element types of every size; and kernels that may not go so."""

import os

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device

N = 24  # elements of a shared array; blocks have fewer threads, or as many


def odd_even(s, t, size, n):
    for k in range(size):
        if t % 2 == k % 2 and t + 1 < size:
            if s[t] > s[t + 1]:
                s[t], s[t + 1] = s[t + 1], s[t]
        device.syncthreads()


def pairs(s, t, size, n):
    for k in range(size):
        j = 2 * t + (k & 1)
        if j + 1 < size:
            a, b = s[j], s[j + 1]
            if a > b:
                s[j] = b
                s[j + 1] = a
        device.syncthreads()


def butterflies(s, t, size, n):
    j = 1
    while j < 8:
        other = t ^ j
        if other > t and other < size:
            a, b = s[t], s[other]
            s[t] = a + b
            s[other] = a - b
        device.syncthreads()
        j *= 2


def tree(s, t, size, n):
    half = 16
    while half > 0:
        if t < half and t + half < size:
            s[t] += s[t + half]
        device.syncthreads()
        half //= 2


def chosen_by_data(s, t, size, n):
    for k in range(3):
        own = s[t]
        other = s[int(own) % size]
        device.syncthreads()
        if int(own) % 3 != k:
            s[t] = other + own
        device.syncthreads()


def turns_by_data(s, t, size, n):
    left = int(s[t]) % 5
    while left > 0:
        s[t] = s[t] + s[t]
        left -= 1
    device.syncthreads()
    s[t] = s[t] + left


def from_the_end(s, t, size, n):
    own = s[t - size] if size == N else s[t]
    device.syncthreads()
    if t > 0:
        s[-1 - t] = own
    device.syncthreads()


def some_return(s, t, size, n):
    if t >= n:
        return
    device.syncthreads()
    s[t] = s[t] + s[n]


def two_arrays(s, t, size, n):
    r = device.shared_array((2, N), device.int32)
    r[0, t] = t * n
    r[1, size - 1 - t] = t
    device.syncthreads()
    s[t] = s[t] + r[0, (t + 1) % size] - r[1, t]
    device.syncthreads()


def own_array(s, t, size, n):
    own = device.local_array(4, device.int32)
    for k in range(4):
        own[k] = (t * (k + 1)) % size
    device.syncthreads()
    for k in range(4):
        if own[k] != t:
            s[t] = s[t] + own[(k + n) % 4]
    device.syncthreads()


BODIES = [odd_even, pairs, butterflies, tree, chosen_by_data, turns_by_data, from_the_end, some_return, two_arrays, own_array]
TYPES = ["float32", "int32", "float64", "int64", "uint8", "int16", "float16"]
BLOCKS = [(N,), (7,), (4, 3), (2, 3, 2)]
MANY = 32 * len(os.sched_getaffinity(0)) + 5  # as many as vectors have lanes, for each core
GRIDS = [(MANY,), (4, 3), (3, 2), (8, 2, 2)]


def kernel_of(body, dtype):
    kind = getattr(device, dtype)

    def kernel(x, out, n):
        s = device.shared_array(N, kind)
        t = int(device.thread_idx.x + device.block_dim.x * (device.thread_idx.y + device.block_dim.y * device.thread_idx.z))
        size = int(device.block_dim.x * device.block_dim.y * device.block_dim.z)
        block = int(device.block_idx.x + device.grid_dim.x * (device.block_idx.y + device.grid_dim.y * device.block_idx.z))
        s[t] = x[block, t]
        device.syncthreads()
        body(s, t, size, n)
        out[block, t] = s[t]
    return kernel


def results(function, dtype, shapes, **environment):
    """By (grid, block): what one compiled kernel leaves."""
    kernel, left = device.kernel(function), {}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        for grid, block in shapes:
            blocks, threads = int(np.prod(grid)), int(np.prod(block))
            x = np.random.default_rng(blocks).integers(0, 90, (blocks, threads)).astype(dtype)
            out = np.zeros_like(x)
            kernel[grid, block](x, out, 3)
            left[grid, block] = out.tobytes()
    return left


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_the_same_bits_in_every_grid_and_block(body):
    function, shapes = kernel_of(body, "int32"), [(grid, block) for grid in GRIDS for block in BLOCKS]
    want = results(function, "int32", shapes, HETJIT_LANES="1")
    for lanes in ("2", "4", "16"):
        assert results(function, "int32", shapes, HETJIT_LANES=lanes, HETJIT_TIER="blocks") == want, lanes


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_elements_of_every_size(body, dtype):
    function, shapes = kernel_of(body, dtype), [((MANY,), (N,)), ((MANY,), (N - 1,))]
    want = results(function, dtype, shapes, HETJIT_LANES="1")
    ways = (("8", "blocks"), ("16", "whole"), ("16", "blocks"))
    lanes, tier = ways[(BODIES.index(body) + TYPES.index(dtype)) % len(ways)]
    assert results(function, dtype, shapes, HETJIT_LANES=lanes, HETJIT_TIER=tier) == want, (lanes, tier)


def has_block_lanes(function, signature="(array[int32, 1, contiguous, index32], array[int32, 1, contiguous, index32])"):
    return "blocks side by side: they are lanes" in _core.show(_core.capture(function), "plan", signature, "cpu:x86-64-v3", kernel=True)


def sorts(x, out):
    s = device.shared_array(64, device.int32)
    t = int(device.thread_idx.x)
    s[t] = x[device.tid(1)]
    device.syncthreads()
    odd_even(s, t, 64, 0)
    out[device.tid(1)] = s[t]


def sums(x, out):
    s = device.shared_array(64, device.int32)
    t = int(device.thread_idx.x)
    s[t] = x[device.tid(1)]
    device.syncthreads()
    half = 32
    while half > 0:
        if t < half:
            s[t] += s[t + half]
        device.syncthreads()
        half //= 2
    if t == 0:
        out[device.block_idx.x] = s[0]


def counts_votes(x, out):
    s = device.shared_array(64, device.int32)
    t = int(device.thread_idx.x)
    s[t] = x[device.tid(1)]
    for k in range(64):
        if device.syncthreads_count(s[t ^ 1] > k) > 3:
            s[t] = s[t] + 1
        device.syncthreads()
    out[device.tid(1)] = s[t]


def asks_a_warp(x, out):
    s = device.shared_array(64, device.int32)
    t = int(device.thread_idx.x)
    s[t] = device.shfl_sync(device.FULL_MASK, x[device.tid(1)], 0)
    device.syncthreads()
    odd_even(s, t, 64, 0)
    out[device.tid(1)] = s[t]


def asks_the_launch_for_memory(x, out):
    s = device.dynamic_shared_array(device.int32)
    t = int(device.thread_idx.x)
    s[t] = x[device.tid(1)]
    device.syncthreads()
    odd_even(s, t, 64, 0)
    out[device.tid(1)] = s[t]


def may_raise(x, out):
    s = device.shared_array(64, device.int32)
    t = int(device.thread_idx.x)
    s[t] = x[device.tid(1)]
    if s[t] < 0:
        raise ValueError("below zero")
    device.syncthreads()
    odd_even(s, t, 64, 0)
    out[device.tid(1)] = s[t]


def asks_for_z(x, out):
    s = device.shared_array(64, device.int32)
    t = int(device.thread_idx.z)
    s[t] = x[device.block_idx.x * 64 + t]
    device.syncthreads()
    odd_even(s, t, 64, 0)
    out[device.block_idx.x * 64 + t] = s[t]


def turns_of_its_block(x, out):
    s = device.shared_array(64, device.int32)
    t = int(device.thread_idx.x)
    s[t] = x[device.tid(1)]
    device.syncthreads()
    for k in range(out[device.block_idx.x]):
        odd_even(s, t, 64, 0)
    out[device.tid(1)] = s[t]


def two_buffers(x, out):
    a, b = device.shared_array(64, device.int32), device.shared_array(64, device.int32)
    t = int(device.thread_idx.x)
    a[t] = x[device.tid(1)]
    for k in range(64):
        device.syncthreads()
        b[t] = a[t ^ (k & 31)]
        a, b = b, a
    device.syncthreads()
    out[device.tid(1)] = a[t]


MAY_NOT = [counts_votes, asks_a_warp, asks_the_launch_for_memory, may_raise, turns_of_its_block, two_buffers]


def test_where_they_are_faster_they_are_chosen():
    assert has_block_lanes(sorts) and has_block_lanes(asks_for_z)  # the z of blocks that have no other axis is their row
    assert not has_block_lanes(sums)


@pytest.mark.parametrize("function", MAY_NOT, ids=lambda function: function.__name__)
def test_kernels_that_may_not(function, monkeypatch):
    assert not has_block_lanes(function)
    monkeypatch.setenv("HETJIT_TIER", "blocks")
    assert not has_block_lanes(function)
