"""Loops in threads: uniform ones with branches inside, strides of the grid and the block, and those that lanes leave apart."""

import numpy as np

from gallery.case import Case, blocks, case, random, zeros
from hetjit import device

ROWS, TABLE = 1 << 17, 128


# ---- shared out over the grid, the block

@device.kernel
def grid_stride(a, x, y, out):
    for i in range(device.tid(1), out.shape[0], device.grid_size(1)):
        out[i] = a * x[i] + y[i]


@case("memory", "contiguous", "grid-stride", "float32", "1-d", "memory")
def axpy_by_grid():
    n = 1 << 23
    x, y = random(n), random(n, seed=2)
    return Case(grid_stride, 256, 256, (2.0, x, y, zeros(n)), {3: 2 * x + y}, (n,), 1e-6)


@device.kernel
def squares_by_grid(x, out):
    i = device.tid(1)
    total = device.float64(0)
    k = i
    while k < x.shape[0]:
        total += x[k] * x[k]
        k += device.grid_size(1)
    out[i] = total


@case("memory", "contiguous", "grid-stride", "float64", "1-d", "memory")
def squares():
    n, threads = 1 << 22, 1 << 12
    x = random(n, np.float64)
    return Case(squares_by_grid, threads // 128, 128, (x, zeros(threads, np.float64)),
                {1: (x * x).reshape(-1, threads).sum(axis=0)}, (n, threads), 1e-12)


@device.kernel
def scale_rows(a, by, out):
    row = device.block_idx.x
    for k in range(device.thread_idx.x, a.shape[1], device.block_dim.x):
        out[row, k] = a[row, k] * by[row]


@case("memory", "contiguous", "grid-stride", "float32", "a block per row", "L2")
def rows_by_block():
    a, by = random((64, 1000)), random(64, seed=2)
    return Case(scale_rows, 64, 256, (a, by, zeros(a.shape)), {2: a * by[:, None]}, a.shape, 1e-6, small=True)


# ---- of places that are known when the thread is

@device.kernel
def fill_runs(start, value, out):
    run = device.tid(1)
    if run < value.shape[0]:
        for k in range(start[run], start[run + 1]):
            out[k] = value[run]


@case("memory", "contiguous", "divergent loop", "float32", "a thread per run", "L2")
def runs():
    length = np.random.default_rng(1).integers(0, 60, 1 << 14)
    start, value = np.concatenate([[0], length.cumsum()]).astype(np.int32), random(length.size)
    return Case(fill_runs, blocks(length.size, 128), 128, (start, value, zeros(start[-1])), {2: np.repeat(value, length)}, (length.size,), small=True)


# ---- uniform, with ifs

@device.kernel
def window_sums(x, radius, out):
    i = device.tid(1)
    if i < out.shape[0]:
        total = 0.0
        for k in range(-radius, radius + 1):
            if 0 <= i + k < x.shape[0] and k != 0:
                total += x[i + k]
        out[i] = total


@case("compute", "contiguous", "uniform loop with ifs", "float32", "1-d", "memory")
def windows():
    n, radius = 1 << 20, 16
    x = random(n)
    sums = np.convolve(x.astype(np.float64), np.ones(2 * radius + 1), "same") - x
    return Case(window_sums, blocks(n, 256), 256, (x, radius, zeros(n)), {2: sums.astype(np.float32)}, (n,), 1e-5)


@device.kernel
def nearest_hit(px, py, radius, ox, oy, out):
    i = device.tid(1)
    if i >= out.shape[0]:
        return
    best = 1e30
    for k in range(px.shape[0]):
        dx, dy = px[k] - ox[i], py[k] - oy[i]
        b = dx * 0.6 + dy * 0.8
        d = b * b - (dx * dx + dy * dy - radius[k])
        if d > 0.0 and b > 0.0:
            t = b - d
            if t > 0.0 and t < best:
                best = t
    out[i] = best


@case("compute", "contiguous", "uniform loop with ifs", "float32", "1-d", "L2")
def hits():
    px, py, radius = random(TABLE), random(TABLE, seed=2), random(TABLE, seed=3) * np.float32(0.05)
    ox, oy = random(ROWS, seed=4), random(ROWS, seed=5)
    best = np.full(ROWS, 1e30, np.float32)
    for x, y, r in zip(px, py, radius):
        dx, dy = x - ox, y - oy
        b = dx * np.float32(0.6) + dy * np.float32(0.8)
        d = b * b - (dx * dx + dy * dy - r)
        best = np.where((d > 0) & (b > 0) & (b - d > 0), np.minimum(best, b - d), best)
    # Whether a ray touches a circle that it just passes is decided by rounding.
    return Case(nearest_hit, blocks(ROWS, 128), 128, (px, py, radius, ox, oy, zeros(ROWS)), {5: best}, (TABLE, ROWS), 1e-4, undecided=1e-3)


@device.kernel
def count_greater(x, table, out):
    i = device.tid(1)
    if i < out.shape[0]:
        n = 0
        for k in range(table.shape[0]):
            if table[k] > x[i]:
                n += 1
        out[i] = n


@case("compute", "contiguous", "uniform loop with ifs", "float32", "1-d", "L2")
def ranks():
    x, table = random(ROWS), random(TABLE, seed=2)
    expected = TABLE - np.searchsorted(np.sort(table), x, "right")
    return Case(count_greater, blocks(ROWS, 256), 256, (x, table, zeros(ROWS, np.int32)), {2: expected.astype(np.int32)}, (ROWS, TABLE))


@device.kernel
def skip_far(x, table, out):
    i = device.tid(1)
    if i < out.shape[0]:
        total = 0.0
        for k in range(table.shape[0]):
            d = x[i] - table[k]
            if d < 0.0:
                continue
            if d > 0.5:
                total += 0.5
            elif d > 0.25:
                total += d
            else:
                total += d * d
        out[i] = total


@case("compute", "contiguous", "uniform loop with ifs", "float32", "1-d", "L2")
def pieces():
    x, table = random(ROWS), random(TABLE, seed=2)
    d = x[:, None] - table
    parts = np.where(d < 0, 0, np.where(d > 0.5, 0.5, np.where(d > 0.25, d, d * d)))
    return Case(skip_far, blocks(ROWS, 256), 256, (x, table, zeros(ROWS)), {2: parts.sum(axis=1, dtype=np.float32)}, (ROWS, TABLE), 1e-4)


# ---- lanes leave apart

@device.kernel
def cube_roots(x, out):
    i = device.tid(1)
    if i < x.shape[0]:
        v = x[i] * 1000.0 + 1.0
        r = v
        while True:
            step = (r - v / (r * r)) / 3.0
            r -= step
            if abs(step) < 1e-5 * r:
                break
        out[i] = r


@case("compute", "contiguous", "divergent loop", "float64", "1-d", "L2")
def newton():
    x = random(ROWS, np.float64)
    return Case(cube_roots, blocks(ROWS, 256), 256, (x, zeros(ROWS, np.float64)), {1: np.cbrt(x * 1000 + 1)}, (ROWS,), 1e-6)


@device.kernel
def common(a, b, out):
    i = device.tid(1)
    if i < a.shape[0]:
        x, y = a[i], b[i]
        while y != 0:
            x, y = y, x % y
        out[i] = x


@case("compute", "contiguous", "divergent loop", "uint32", "1-d", "L2")
def gcd():
    a, b = random(ROWS, np.uint32), random(ROWS, np.uint32, 2)
    return Case(common, blocks(ROWS, 256), 256, (a, b, zeros(ROWS, np.uint32)), {2: np.gcd(a, b)}, (ROWS,))


@device.kernel
def interpolate(places, values, x, out):
    i = device.tid(1)
    if i < x.shape[0]:
        low, high = 0, places.shape[0] - 1
        while high - low > 1:
            middle = (low + high) // 2
            if places[middle] <= x[i]:
                low = middle
            else:
                high = middle
        part = (x[i] - places[low]) / (places[high] - places[low])
        out[i] = values[low] + part * (values[high] - values[low])


@case("compute", "gathered", "divergent loop", "float32", "1-d", "L2")
def interpolation():
    places, values = np.linspace(0, 1, 1000).astype(np.float32), random(1000)
    x = random(4 * ROWS, seed=2)
    return Case(interpolate, blocks(len(x), 256), 256, (places, values, x, zeros(len(x))),
                {3: np.interp(x, places, values).astype(np.float32)}, (1000, len(x)), 1e-4)


QUEENS = 11


@device.kernel
def place_queens(out):
    """Solutions that begin with two given columns: columns and diagonals as bits, a stack of what is left to try."""
    i = device.tid(1)
    if i >= out.shape[0]:
        return
    left = device.local_array(QUEENS, device.int32)
    columns = device.local_array(QUEENS, device.int32)
    up = device.local_array(QUEENS, device.int32)
    down = device.local_array(QUEENS, device.int32)
    full = (1 << QUEENS) - 1
    a, b = 1 << (i // QUEENS), 1 << (i % QUEENS)
    count = 0
    if (b & (a | a << 1 | a >> 1)) == 0:
        depth = 0
        columns[0], up[0], down[0] = a | b, (a << 2 | b << 1) & full, a >> 2 | b >> 1
        left[0] = full & ~(columns[0] | up[0] | down[0])
        while depth >= 0:
            free = left[depth]
            if free == 0:
                depth -= 1
                continue
            bit = free & -free
            left[depth] = free ^ bit
            if columns[depth] | bit == full:
                count += 1
                continue
            columns[depth + 1] = columns[depth] | bit
            up[depth + 1] = (up[depth] | bit) << 1 & full
            down[depth + 1] = (down[depth] | bit) >> 1
            depth += 1
            left[depth] = full & ~(columns[depth] | up[depth] | down[depth])
    out[i] = count


def solutions(a, b):
    """By rows, all that is reached at once."""
    full = (1 << QUEENS) - 1
    states = np.array([[a | b, (a << 2 | b << 1) & full, a >> 2 | b >> 1]])
    if b & (a | a << 1 | a >> 1):
        return 0
    for _ in range(QUEENS - 2):
        bits = 1 << np.arange(QUEENS)
        state, bit = np.nonzero(np.bitwise_or.reduce(states, axis=1)[:, None] & bits == 0)
        columns, up, down = states[state].T
        states = np.stack([columns | bits[bit], (up | bits[bit]) << 1 & full, (down | bits[bit]) >> 1], axis=1)
    return len(states)


@case("compute", "local memory", "divergent loop", "int32", "1-d, odd", "L1")
def queens():
    n = QUEENS * QUEENS
    expected = np.array([solutions(1 << i // QUEENS, 1 << i % QUEENS) for i in range(n)], np.int32)
    return Case(place_queens, blocks(n, 64), 64, (zeros(n, np.int32),), {0: expected}, (n,))
