"""Block forms: two and three axes, odd ones, smaller than a vector, a thread or a warp per row."""

import numpy as np

from gallery.case import Case, blocks, case, random, zeros
from hetjit import device


@device.kernel
def stencil_xy(z, out):
    x, y = device.tid(2)
    if 0 < y < z.shape[0] - 1 and 0 < x < z.shape[1] - 1:
        out[y, x] = 0.25 * (z[y - 1, x] + z[y + 1, x] + z[y, x - 1] + z[y, x + 1])


@device.kernel
def stencil_ij(z, out):
    i, j = device.tid(2)
    if 0 < i < z.shape[0] - 1 and 0 < j < z.shape[1] - 1:
        out[i, j] = 0.25 * (z[i - 1, j] + z[i + 1, j] + z[i, j - 1] + z[i, j + 1])


def stencil(kernel, block, n=2048):
    z, quarter = random((n, n)), np.float32(0.25)
    expected = np.zeros_like(z)
    expected[1:-1, 1:-1] = quarter * (z[:-2, 1:-1] + z[2:, 1:-1] + z[1:-1, :-2] + z[1:-1, 2:])
    grid = tuple(blocks(n, side) for side in block)
    return Case(kernel, grid, block, (z, zeros((n, n))), {1: expected}, (n, n), 1e-6)


@case("memory", "contiguous", "straight", "float32", "2-d, 8 x 8", "memory")
def stencil_8x8():
    return stencil(stencil_xy, (8, 8))


@case("memory", "contiguous", "straight", "float32", "2-d, 1 x 256", "memory")
def stencil_1x256():
    return stencil(stencil_xy, (1, 256))


@case("memory", "contiguous", "straight", "float32", "2-d, first axis down", "memory")
def stencil_rows_first():
    return stencil(stencil_ij, (16, 16))


@device.kernel
def product_ij(a, b, c):
    i, j = device.tid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


@case("compute", "contiguous", "uniform loop", "float32", "2-d, first axis down", "L2")
def product_rows_first():
    n = 384
    a, b = random((n, n)), random((n, n), seed=2)
    return Case(product_ij, (n // 16, n // 16), (16, 16), (a, b, zeros((n, n))), {2: a @ b}, (n,), 1e-5)


@device.kernel
def add_ij(a, b):
    i, j = device.tid(2)
    if i < a.shape[0] and j < a.shape[1]:
        b[i, j] = a[i, j] + 1.0


@case("memory", "strided", "straight", "float64", "2-d, first axis down", "memory")
def add_rows_first():
    a = random((1500, 1500), np.float64)
    return Case(add_ij, (blocks(1500, 32), blocks(1500, 8)), (32, 8), (a, zeros(a.shape, np.float64)), {1: a + 1}, a.shape, 1e-12)


@device.kernel
def heat(now, after, factor):
    x, y, z = device.tid(3)
    if 0 < z < now.shape[0] - 1 and 0 < y < now.shape[1] - 1 and 0 < x < now.shape[2] - 1:
        here = now[z, y, x]
        around = now[z - 1, y, x] + now[z + 1, y, x] + now[z, y - 1, x] + now[z, y + 1, x] + now[z, y, x - 1] + now[z, y, x + 1]
        after[z, y, x] = here + factor * (around - 6.0 * here)


@case("memory", "contiguous", "straight", "float32", "3-d, 8 x 8 x 8", "memory")
def heat_8x8x8():
    n, factor = 192, np.float32(0.1)
    now = random((n, n, n))
    inner = now[1:-1, 1:-1, 1:-1]
    around = (now[:-2, 1:-1, 1:-1] + now[2:, 1:-1, 1:-1] + now[1:-1, :-2, 1:-1] + now[1:-1, 2:, 1:-1] + now[1:-1, 1:-1, :-2]
              + now[1:-1, 1:-1, 2:])
    expected = np.zeros_like(now)
    expected[1:-1, 1:-1, 1:-1] = inner + factor * (around - 6 * inner)
    return Case(heat, (n // 8,) * 3, (8, 8, 8), (now, zeros(now.shape), 0.1), {1: expected}, (n,), 1e-6)


@device.kernel
def polynomial(x, out):
    i = device.tid(1)
    if i < x.shape[0]:
        v = x[i]
        out[i] = ((((v * 0.1 + 0.2) * v - 0.3) * v + 0.4) * v - 0.5) * v + 0.6


def polynomial_by(block, n):
    x = random(n)
    return Case(polynomial, blocks(n, block), block, (x, zeros(n)),
                {1: np.polyval([0.1, 0.2, -0.3, 0.4, -0.5, 0.6], x.astype(np.float64)).astype(np.float32)}, (n,), 1e-6)


@case("memory", "contiguous", "straight", "float32", "1-d, odd", "memory")
def polynomial_by_100():
    return polynomial_by(100, 1 << 22)


@case("memory", "contiguous", "straight", "float32", "smaller than a vector", "L2")
def polynomial_by_8():
    return polynomial_by(8, 1 << 18)


# ---- a thread per row, a warp per row

@device.kernel
def sums_by_thread(a, out):
    i = device.tid(1)
    if i < a.shape[0]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k]
        out[i] = total


@case("memory", "strided", "uniform loop", "float32", "a thread per row", "memory")
def row_sums():
    a = random((1 << 13, 512))
    return Case(sums_by_thread, blocks(len(a), 128), 128, (a, zeros(len(a))), {1: a.sum(axis=1)}, a.shape, 1e-5)


@device.kernel
def filter_rows(a, out, keep):
    i = device.tid(1)
    if i < a.shape[0]:
        value = device.float32(0)
        for k in range(a.shape[1]):
            value = keep * value + (1.0 - keep) * a[i, k]
            out[i, k] = value


@case("memory", "strided", "uniform loop", "float32", "a thread per row", "memory")
def recurrence():
    a, keep = random((1 << 12, 512)), np.float32(0.9)
    expected, value = np.zeros_like(a), np.zeros(len(a), np.float32)
    for k in range(a.shape[1]):
        expected[:, k] = value = keep * value + (1 - keep) * a[:, k]
    return Case(filter_rows, blocks(len(a), 64), 64, (a, zeros(a.shape), 0.9), {1: expected}, a.shape, 1e-5)


@device.func
def warp_sum(value):
    distance = 16
    while distance > 0:
        value += device.shfl_xor_sync(device.FULL_MASK, value, distance)
        distance //= 2
    return value


@device.kernel
def sums_by_warp(a, out):
    row, lane = device.tid(1) // 32, device.tid(1) % 32
    if row < a.shape[0]:
        total = 0.0
        for k in range(lane, a.shape[1], 32):
            total += a[row, k]
        total = warp_sum(total)
        if lane == 0:
            out[row] = total


@case("memory", "contiguous", "warp functions", "float32", "a warp per row", "memory")
def row_sums_by_warp():
    a = random((1 << 13, 512))
    return Case(sums_by_warp, len(a) // 8, 256, (a, zeros(len(a))), {1: a.sum(axis=1)}, a.shape, 1e-5)


@device.kernel
def normalise(a, out):
    row, lane = device.tid(1) // 32, device.tid(1) % 32
    if row < a.shape[0]:
        total = squares = 0.0
        for k in range(lane, a.shape[1], 32):
            total += a[row, k]
            squares += a[row, k] * a[row, k]
        mean = warp_sum(total) / a.shape[1]
        variance = warp_sum(squares) / a.shape[1] - mean * mean
        scale = 1.0 / device.sqrt(variance + 1e-5)
        for k in range(lane, a.shape[1], 32):
            out[row, k] = (a[row, k] - mean) * scale


@case("memory", "contiguous", "warp functions", "float32", "a warp per row", "L2")
def layer_norm():
    a = random((256, 384))
    exact = a.astype(np.float64)
    expected = (exact - exact.mean(axis=1)[:, None]) / np.sqrt(exact.var(axis=1) + 1e-5)[:, None]
    return Case(normalise, len(a) // 4, 128, (a, zeros(a.shape)), {1: expected.astype(np.float32)}, a.shape, 1e-4)


@device.kernel
def scale_by_lane(a, by, out):
    i = device.tid(1)
    row, lane = i >> 5, i & 31
    if row < a.shape[0]:
        for k in range(0, a.shape[1], 32):
            out[row, k + lane] = a[row, k + lane] * by[k + lane]


@case("memory", "contiguous", "uniform loop", "float32", "a warp per row", "memory")
def columns_scaled():
    a, by = random((1 << 13, 512)), random(512, seed=2)
    return Case(scale_by_lane, len(a) // 4, 128, (a, by, zeros(a.shape)), {2: a * by}, a.shape, 1e-6)
