"""Kernels that ask for a thread's rank in its block, or for its index along another axis than x, to which blocks of many shapes are one row of threads:
the interpreter's bits with every number of lanes, in blocks of every shape."""

import itertools

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device

BLOCKS = [(128, 1, 1), (1, 128, 1), (1, 1, 40), (8, 8, 1), (5, 7, 1), (33, 3, 1), (1, 1, 1), (4, 4, 4), (3, 5, 2), (2, 64, 2), (16, 4, 2)]
GRIDS = [(3, 1, 1), (1, 3, 1), (2, 2, 1)]
WIDTH = 1024

RANKS = {  # by how many axes they go over
    "y then x": "thread_idx.y * block_dim.x + thread_idx.x",
    "x then y": "thread_idx.x + block_dim.x * thread_idx.y",
    "all, nested": "thread_idx.x + block_dim.x * (thread_idx.y + block_dim.y * thread_idx.z)",
    "all, a sum": "thread_idx.z * (block_dim.x * block_dim.y) + thread_idx.y * block_dim.x + thread_idx.x",
    "as integers of 64 bits": "int64(thread_idx.y) * block_dim.x + thread_idx.x",
    "the other way round": "thread_idx.x * block_dim.y + thread_idx.y",  # none of them
    "by the wrong dimension": "thread_idx.y * block_dim.y + thread_idx.x",
    "y alone": "thread_idx.y", "z alone": "thread_idx.z", "y and z": "thread_idx.y + block_dim.y * thread_idx.z",
    "z and y": "thread_idx.z + block_dim.z * thread_idx.y",
    "twice": "2 * (thread_idx.y * block_dim.x + thread_idx.x)",
    "with x beside it": "thread_idx.y * block_dim.x + thread_idx.x + thread_idx.x",
}
WITHIN = "int(rank) % x.shape[1]"
BODIES = {
    "straight": "    out[row, own] = x[row, own] * 3 + size",
    "across a barrier": """\
    shared = device.shared_array(1024, device.int32)
    shared[own] = x[row, own]
    device.syncthreads()
    out[row, own] = shared[(own + 5) % 1024] * 7 + size if own + 5 < 1 else shared[own] + size""",
    "a tree": """\
    shared = device.shared_array(1024, device.int32)
    for k in range(32):
        shared[k] = 0
    device.syncthreads()
    device.atomic.add(shared, own % 32, x[row, own])
    device.syncthreads()
    step = 16
    while step > 0:
        value = shared[own % 32] + (shared[own + step] if own < step else 0)
        device.syncthreads()
        if own < 32:
            shared[own] = value
        device.syncthreads()
        step //= 2
    if own == 0:
        device.atomic.add(out[row], 0, shared[0] + size)""",
    "a loop": """\
    total = 0
    for k in range(own % 9):
        if x[row, (own + k) % 1024] % 3 == 0:
            continue
        total += x[row, (own * k) % 1024]
    out[row, own] = total + size""",
    "with its block's places": "    out[row, own] = x[row, own] + device.block_idx.x * 1000 + device.block_idx.y * 10000 + device.grid_dim.y + device.block_dim.z * 7",
    "with warps": "    out[row, own] = device.ballot_sync(device.FULL_MASK, x[row, own] % 5 == 0).bit_count() * 100 + device.lane_id",
}


def written(rank, body, size):
    scope = {"device": device, "int64": device.int64}
    places = {name: f"device.{name}" for name in ("thread_idx", "block_dim")}
    for name, whole in places.items():
        rank, size = rank.replace(name, whole), size.replace(name, whole)
    exec(f"""def kernel(x, out):
    rank = {rank}
    size = {size}
    own = {WITHIN}
    row = device.block_idx.x + device.grid_dim.x * device.block_idx.y
{body}
""", scope)
    return scope["kernel"]


@pytest.mark.parametrize("lanes", [None, 1, 4, 16])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("rank", RANKS)
def test_every_shape_has_the_interpreter_s_bits(rank, body, lanes, monkeypatch):
    if lanes:
        monkeypatch.setenv("HETJIT_LANES", str(lanes))
    whole = "block_dim.x * block_dim.y" + (" * block_dim.z" if rank.startswith("all") else "")
    function = written(RANKS[rank], BODIES[body], "1" if "alone" in rank or "z" in rank.split() else whole)
    kernel = device.kernel(function)
    x = np.random.default_rng(5).integers(0, 100, (4, WIDTH)).astype(np.int32)
    for grid, block in itertools.product(GRIDS, BLOCKS):
        if body == "with warps" and block[0] * block[1] * block[2] % 32:
            continue  # lanes that no thread is
        if body in ("across a barrier", "a tree") and rank in ("twice", "with x beside it", "by the wrong dimension"):
            continue  # two threads, one place
        asked, found = np.zeros_like(x), np.zeros_like(x)
        _core.interpret(_core.capture(function), (x, asked), grid, block)
        kernel[grid, block](x, found)
        assert np.array_equal(asked, found), (grid, block)
