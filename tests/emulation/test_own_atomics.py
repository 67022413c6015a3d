"""Atomic operations on arrays that are a thread's own: nobody else sees them, and PTX has no instruction for it."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from everywhere import everywhere, launched
from hetjit import device

N = 40


def updated(x, out):
    mine = device.local_array(8, x.dtype)
    i = device.tid(1)
    for k in range(8):
        mine[k] = x[(i + k) % x.shape[0]]
    at = i % 8
    old = device.atomic.add(mine, at, x[i])
    old += device.atomic.sub(mine, (at + 1) % 8, x[i])
    old += device.atomic.max(mine, (at + 2) % 8, x[i])
    old += device.atomic.min(mine, (at + 3) % 8, x[i])
    old += device.atomic.exch(mine, (at + 4) % 8, x[i])
    old += device.atomic.load(mine, (at + 5) % 8, memory="acquire")
    device.atomic.store(mine, (at + 6) % 8, old, memory="release")
    for k in range(8):
        out[i, k] = mine[k]
    out[i, 8] = old


def with_bits(x, out):
    mine = device.local_array(3, x.dtype)
    i = device.tid(1)
    mine[0] = mine[1] = mine[2] = x[i]
    device.atomic.and_(mine, 0, x[0], scope="system")
    device.atomic.or_(mine, 1, x[0], memory="seq_cst")
    device.atomic.xor(mine, i % 3, x[0], scope="block")
    found = device.atomic.cas(mine, 2, x[i], x[1])
    for k in range(3):
        out[i, k] = mine[k]
    out[i, 3] = found


def add_all(values, n):
    """Recursive, so that it is no part of its callers: where the address lies, only the run tells."""
    if n == 0:
        return values[0]
    device.atomic.add(values, 0, values[n])
    return add_all(values, n - 1)


def by_a_function(x, out):
    mine, ours = device.local_array(4, x.dtype), device.shared_array(4, x.dtype)
    i = device.tid(1)
    for k in range(4):
        mine[k] = x[(i + k) % x.shape[0]]
        if device.thread_idx.x == 0:
            ours[k] = k
    device.syncthreads()
    out[i, 0] = add_all(mine, 3)
    if device.thread_idx.x == 0:
        out[i, 1] = add_all(ours, 3) + add_all(out[i, 2:6], 3)


def chosen(x, out):
    mine, ours = device.local_array(4, x.dtype), device.shared_array(N, x.dtype)
    i = device.tid(1)
    ours[i] = x[i]
    mine[0] = x[i]
    device.syncthreads()
    both = mine[0:1] if x[i] > x[0] else ours[i:i + 1]
    device.atomic.add(both, 0, x[1])
    out[i, 0], out[i, 1] = mine[0], ours[i]


DTYPES = ["int32", "uint32", "int64", "uint64", "int16", "uint8", "float32", "float64", "float16"]


def some(dtype, seed=1):
    values = np.random.default_rng(seed).integers(1, 50, N)
    return values.astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@everywhere
@pytest.mark.parametrize("kernel", [updated, by_a_function, chosen], ids=lambda kernel: kernel.__name__)
def test_numbers(kernel, where, dtype):
    x, out = some(dtype), np.zeros((N, 9), dtype)
    want = launched("interpreter", kernel, x, out, block=N)[1]
    got = launched(where, kernel, x, out, block=N)[1]
    np.testing.assert_array_equal(got, want)
    assert want.any()


@pytest.mark.parametrize("dtype", [name for name in DTYPES if "float" not in name])
@everywhere
def test_bits(where, dtype):
    x, out = some(dtype), np.zeros((N, 4), dtype)
    want = launched("interpreter", with_bits, x, out, block=N)[1]
    np.testing.assert_array_equal(launched(where, with_bits, x, out, block=N)[1], want)
