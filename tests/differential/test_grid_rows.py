"""Kernels that ask for places in the grid only: each thread of the launch runs once, whatever blocks it is dealt out in."""

import numpy as np
import pytest

from hetjit import device

SHAPES = [  # grid, block: odd ones, rows of one thread, axes of any length, more tiles than blocks and fewer
    (5, 100), (1, 1), (300, 1), (40, 7), ((3, 5), (8, 8)), ((2, 9), (1, 64)), ((1, 3), (33, 3)), ((7, 1), (2, 128)),
    ((3, 2, 4), (5, 3, 2)), ((1, 1, 6), (1, 2, 32)), ((20, 30, 2), (1, 1, 1)), ((2, 2, 2), (8, 8, 8)), (2, (64, 4)), ((1, 17), (256, 1))]


def three(extents):
    return (*((extents,) if isinstance(extents, int) else extents), 1, 1)[:3]


def extents_of(shape):
    """Threads of a launch along each axis."""
    return tuple(g * b for g, b in zip(*map(three, shape)))


@device.kernel
def one_axis(counts):
    device.atomic.add(counts, device.tid(1), 1)


@device.kernel
def last_axis_first(counts):
    x, y, z = device.tid(3)
    if x < counts.shape[0] and y < counts.shape[1] and z < counts.shape[2]:
        counts[x, y, z] += 1


@device.kernel
def first_axis_last(counts):
    x, y, z = device.tid(3)
    if x < counts.shape[2] and y < counts.shape[1] and z < counts.shape[0]:
        counts[z, y, x] += 1


@device.kernel
def middle_axis_last(counts):
    x, y, z = device.tid(3)
    if x < counts.shape[1] and y < counts.shape[2] and z < counts.shape[0]:
        counts[z, x, y] += 1


@device.kernel
def across(a, out):
    """Neighbours in one array lie apart in the other."""
    x, y, z = device.tid(3)
    if x < a.shape[1] and y < a.shape[0] and z < a.shape[2]:
        out[x, y] = a[y, x, z]


ORDERS = [(last_axis_first, (0, 1, 2)), (first_axis_last, (2, 1, 0)), (middle_axis_last, (2, 0, 1))]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_thread_once(shape):
    extents = extents_of(shape)
    for kernel, order in ORDERS:
        counts = np.zeros([extents[axis] for axis in order], np.int32)
        kernel[shape](counts)
        assert (counts == 1).all()
    counts = np.zeros(extents[0], np.int32)
    one_axis[shape](counts)
    assert (counts == extents[1] * extents[2]).all()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("by", [-1, 1, 2], ids=["smaller", "larger", "twice"])
def test_guards(shape, by):
    """Arrays that end before the launch does, and behind it."""
    x, y, z = (max(extent + by if by < 2 else extent * by, 1) for extent in extents_of(shape))
    counts, expected = np.zeros((x, y, z), np.int32), np.zeros((x, y, z), np.int32)
    last_axis_first[shape](counts)
    expected[tuple(slice(0, extent) for extent in extents_of(shape))] = 1
    assert np.array_equal(counts, expected)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32, np.float64, np.complex128])
def test_transpositions(shape, dtype):
    """Tiles of as many rows as share a line; also of arrays that end before the launch does."""
    x, y, _ = extents_of(shape)
    for height, width in ((y, x), (max(y - 1, 1), max(x - 3, 1)), (y + 5, x)):
        a, out = (np.arange(height * width) % 251).astype(dtype).reshape(height, width, 1), np.zeros((width, height), dtype)
        expected = out.copy()
        expected[:x, :y] = a[:y, :x, 0].T
        across[shape](a, out)
        assert np.array_equal(out, expected)
        flipped = np.zeros((height, width), dtype).T  # in Fortran order: nothing lies across
        across[shape](a, flipped)
        assert np.array_equal(flipped, expected)


@device.kernel
def product(a, b, c):
    i, j = device.tid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


@device.kernel
def escapes(counts, step):
    y, x = device.tid(2)
    if y < counts.shape[0] and x < counts.shape[1]:
        value, n = 0.0, 0
        while value < 2.0 and n < 50:
            value = value * value + step * (x + y)
            n += 1
        counts[y, x] = n


def blocks_for(shape, block):
    return tuple(-(-extent // side) for extent, side in zip(shape, block))


def test_the_same_bits_in_every_block():
    rng = np.random.default_rng(1)
    a, b = rng.random((45, 29)).astype(np.float32), rng.random((29, 83)).astype(np.float32)
    found = []
    for block in [(16, 16), (1, 256), (256, 1), (7, 5), (8, 8), (3, 1), (45, 1), (1, 83)]:
        c, counts = np.zeros((45, 83), np.float32), np.zeros((45, 83), np.int32)
        product[blocks_for(c.shape, block), block](a, b, c)
        escapes[blocks_for(c.shape, block), block](counts, 0.003)
        found.append((c.tobytes(), counts.tobytes()))
    assert len(set(found)) == 1
    np.testing.assert_allclose(np.frombuffer(found[0][0], np.float32).reshape(45, 83), a @ b, rtol=1e-5)


@device.kernel
def rows_of_32(out):
    i = device.tid(1)
    if i < out.shape[0] * 32:
        out[i // 32, i % 32] = i


@device.kernel
def shifted_rows(out):
    i = device.tid(1) + device.grid_size(1)
    out[i // 32, i % 32] = i


@pytest.mark.parametrize("block", [256, 100, 32, 24, 1, (4, 8)], ids=str)
def test_rows_within_the_grid(block):
    """`t // 32` is the same for a vector's threads where rows begin, but of another sum nothing is known."""
    extent, copies = three(block)[0], three(block)[1]
    out = np.full((10, 32), -1, np.int32)
    rows_of_32[-(-320 // extent), block](out)
    assert np.array_equal(out.ravel(), np.arange(320))
    grid = -(-50 // extent)
    threads, out = grid * extent, np.full((-(-2 * grid * extent // 32), 32), -1, np.int32)
    shifted_rows[grid, block](out)
    expected = np.full(out.size, -1, np.int32)
    expected[threads:2 * threads] = np.arange(threads, 2 * threads)
    assert np.array_equal(out.ravel(), expected) and copies


@device.kernel
def by_blocks(out):
    i = device.tid(1)
    out[i, 0], out[i, 1] = device.thread_idx.x, device.block_idx.x


@device.kernel
def by_parts(out):
    """The place by hand; the block's beginning once more."""
    first = device.block_idx.x * device.block_dim.x
    out[first + device.thread_idx.x] = first


def test_who_asks_for_its_block_is_told():
    out, firsts = np.zeros((60, 2), np.int32), np.zeros(60, np.int32)
    by_blocks[6, 10](out)
    by_parts[6, 10](firsts)
    assert np.array_equal(out[:, 0], np.tile(np.arange(10), 6)) and np.array_equal(out[:, 1], np.repeat(np.arange(6), 10))
    assert np.array_equal(firsts, np.repeat(np.arange(6) * 10, 10))


def test_grid_stride():
    for shape in SHAPES[:4]:
        out = np.zeros(1000, np.int32)
        stride[shape](out)
        assert (out == 1).all()


@device.kernel
def stride(out):
    for i in range(device.tid(1), out.shape[0], device.grid_size(1)):
        out[i] += 1
