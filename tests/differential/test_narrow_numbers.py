"""What GPUs compute another way than it is written: quotients and remainders of signed numbers by way of magnitudes, comparisons of 64-bit sums in 32
bits, constants in indices as offsets of addresses. The interpreter, the host and machines agree with Python, to the ends of the formats."""

import itertools

import numpy as np
import pytest

from hetjit import device

from both import both

BLOCK = 128


def edges(dtype):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    return [least, least + 1, -7, -3, -2, -1, 0, 1, 2, 3, 7, 10, most - 1, most]


def wrapped(value, dtype):
    bits = np.iinfo(dtype).bits
    return (value + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def parts(pairs, out):
    i = device.tid(1)
    if i < len(out):
        out[i, 0] = pairs[i, 0] // pairs[i, 1]
        out[i, 1] = pairs[i, 0] % pairs[i, 1]


def parts_of_places(pairs, out):
    """Of numbers of which one has a known sign."""
    i = device.tid(1)
    if i < len(out):
        size = abs(pairs[i, 1]) & 65535
        out[i, 0] = i // pairs[i, 1] * 7 + i % pairs[i, 1]
        out[i, 1] = pairs[i, 0] // (size + 1) * 7 + pairs[i, 0] % (size + 1)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_quotients_and_remainders(dtype):
    pairs = list(itertools.product(edges(dtype), repeat=2))
    out = both(parts, np.array(pairs, dtype), np.zeros((len(pairs), 2), dtype), grid=-(-len(pairs) // BLOCK), block=BLOCK)
    for (a, b), got in zip(pairs, out.tolist()):
        want = (wrapped(a // b, dtype), a % b) if b else (0, 0)
        assert tuple(got) == want, (a, b)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_of_which_one_sign_is_known(dtype):
    pairs = list(itertools.product(edges(dtype), repeat=2))
    out = both(parts_of_places, np.array(pairs, dtype), np.zeros((len(pairs), 2), dtype), grid=-(-len(pairs) // BLOCK), block=BLOCK)
    for i, ((a, b), got) in enumerate(zip(pairs, out.tolist())):
        size = (abs(b) & 65535) + 1
        want = (wrapped(i // b * 7 + i % b, dtype) if b else 0, wrapped(a // size * 7 + a % size, dtype))
        assert tuple(got) == want, (i, a, b)


def compared(x, numbers, out):
    """An unsigned number and extents less a few, of arrays without elements too."""
    i = device.tid(1)
    if i < len(out):
        n, m = numbers[i], x.shape[0]
        bits = (n < m - 1) + 2 * (n <= m - 1) + 4 * (n > m - 2) + 8 * (n >= m - 2) + 16 * (m - 1 > n) + 32 * (m - 3 <= n)
        out[i] = bits + 64 * (m - 1 == n)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 5])
def test_unsigned_numbers_and_extents(length):
    numbers = [0, 1, 2, 3, 4, 5, 6, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1]
    out = both(compared, np.zeros(length, np.float32), np.array(numbers, np.uint32), np.zeros(len(numbers), np.int32), block=BLOCK)
    for n, got in zip(numbers, out.tolist()):
        m = length
        want = (n < m - 1) + 2 * (n <= m - 1) + 4 * (n > m - 2) + 8 * (n >= m - 2) + 16 * (m - 1 > n) + 32 * (m - 3 <= n)
        assert got == want + 64 * (m - 1 == n), (n, m)


def around(x, out):
    """Neighbours on both sides, through loops that are written out and rows of a known length."""
    tile = device.shared_array((6, 10), device.int32)
    i, j = device.thread_idx.y, device.thread_idx.x
    for row in range(6):
        if i == 0:
            tile[row, j] = x[row, j]
    device.syncthreads()
    if 1 <= i < x.shape[0] - 1 and 2 <= j < x.shape[1] - 2:
        total = 0
        for di in range(3):
            for dj in range(5):
                total = total * 3 + x[i + di - 1, j + dj - 2]
                total = total * 5 + tile[i + di - 1, j + dj - 2]
        out[i, j] = total - x[i - 1, j - 1] - tile[i - 1, j + 2]


def test_neighbours():
    x = (np.arange(60, dtype=np.int32).reshape(6, 10) * 37) % 101
    out = both(around, x, np.zeros((6, 10), np.int32), block=(10, 6))
    for i, j in itertools.product(range(1, 5), range(2, 8)):
        total = 0
        for value in x[i - 1:i + 2, j - 2:j + 3].ravel().tolist():
            total = (total * 3 + value) * 5 + value
        assert out[i, j] == wrapped(total - int(x[i - 1, j - 1]) - int(x[i - 1, j + 2]), np.int32), (i, j)
