"""Products, tables and small problems: sparse rows, bytes, local arrays, divisions by numbers known at run time."""

import numpy as np

from gallery.case import Case, blocks, case, random, zeros
from hetjit import device

ROWS = 1 << 14


@device.kernel
def csr_product(starts, columns, values, x, y):
    i = device.tid(1)
    if i < y.shape[0]:
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        y[i] = total


@case("memory", "gathered", "divergent loop", "float32", "a thread per row", "L2")
def sparse_product():
    counts = np.random.default_rng(3).integers(1, 20, ROWS)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    columns = np.random.default_rng(4).integers(0, ROWS, starts[-1]).astype(np.int32)
    values, x = random(starts[-1]), random(ROWS, seed=2)
    expected = np.add.reduceat(values.astype(np.float64) * x[columns], starts[:-1]).astype(np.float32)
    return Case(csr_product, blocks(ROWS, 128), 128, (starts, columns, values, x, zeros(ROWS)), {4: expected}, (ROWS,), 1e-5)


@device.kernel
def ell_product(columns, values, x, y):
    i = device.tid(1)
    if i < y.shape[0]:
        total = 0.0
        for k in range(columns.shape[0]):
            if columns[k, i] >= 0:
                total += values[k, i] * x[columns[k, i]]
        y[i] = total


@case("memory", "gathered", "uniform loop with ifs", "float32", "1-d", "L2")
def padded_product():
    columns = np.random.default_rng(4).integers(-ROWS // 4, ROWS, (16, ROWS)).astype(np.int32)
    values, x = random(columns.shape), random(ROWS, seed=2)
    expected = np.where(columns >= 0, values.astype(np.float64) * x[columns], 0).sum(axis=0).astype(np.float32)
    return Case(ell_product, blocks(ROWS, 128), 128, (columns, values, x, zeros(ROWS)), {3: expected}, (16, ROWS), 1e-5)


@device.kernel
def product_bytes(a, b, c):
    j, i = device.tid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = 0
        for k in range(a.shape[1]):
            total += int(a[i, k]) * int(b[j, k])
        c[i, j] = total


@case("compute", "strided", "uniform loop", "int8", "2-d", "L2")
def byte_product():
    """Of rows with rows, as quantised networks have it."""
    a, b = random((256, 256), np.int8), random((256, 256), np.int8, 2)
    return Case(product_bytes, (16, 16), (16, 16), (a, b, zeros((256, 256), np.int32)), {2: a.astype(np.int32) @ b.astype(np.int32).T}, (256,))


@device.kernel
def match_bytes(text, word, out):
    i = device.tid(1)
    if i < out.shape[0]:
        k = 0
        while k < word.shape[0] and text[i + k] == word[k]:
            k += 1
        out[i] = k == word.shape[0]


@case("memory", "contiguous", "divergent loop", "uint8", "1-d", "memory")
def search():
    text, word = random(1 << 21, np.uint8) & np.uint8(3), np.array([1, 2, 3, 0, 1], np.uint8)
    windows = np.lib.stride_tricks.sliding_window_view(text, len(word))
    n = len(windows)
    return Case(match_bytes, blocks(n, 256), 256, (text, word, zeros(n, np.uint8)), {2: (windows == word).all(axis=1).astype(np.uint8)}, (len(word), n))


@device.kernel
def median_filter(x, out):
    i = device.tid(1)
    if i < out.shape[0]:
        v = device.local_array(9, device.float32)
        for k in range(9):
            own = x[i + k]
            at = k
            while at > 0 and v[at - 1] > own:
                v[at] = v[at - 1]
                at -= 1
            v[at] = own
        out[i] = v[4]


@case("compute", "local memory", "divergent loop", "float32", "1-d", "L2")
def medians():
    x = random((1 << 17) + 8)
    expected = np.median(np.lib.stride_tricks.sliding_window_view(x, 9), axis=1).astype(np.float32)
    return Case(median_filter, blocks(len(expected), 256), 256, (x, zeros(len(expected))), {1: expected}, (len(expected),))


@device.kernel
def sort_windows(x, out):
    """The middle of nine, by the first half of a network that sorts them."""
    j, i = device.tid(2)
    if 0 < i and i < x.shape[0] - 1 and 0 < j and j < x.shape[1] - 1:
        v = device.local_array(9, device.uint8)
        for y in range(3):
            for k in range(3):
                v[3 * y + k] = x[i + y - 1, j + k - 1]
        for p in range(5):
            for q in range(p + 1, 9):
                v[p], v[q] = min(v[p], v[q]), max(v[p], v[q])
        out[i, j] = v[4]


@case("compute", "local memory", "straight", "uint8", "2-d", "L2")
def sorted_windows():
    x = np.random.default_rng(1).integers(0, 256, (720, 1280), np.uint8)
    expected = np.zeros_like(x)
    expected[1:-1, 1:-1] = np.median(np.lib.stride_tricks.sliding_window_view(x, (3, 3)), axis=(2, 3))
    return Case(sort_windows, (1280 // 16, 720 // 16), (16, 16), (x, np.zeros_like(x)), {1: expected}, x.shape)


@device.kernel
def small_products(a, b, c):
    i = device.tid(1)
    if i < a.shape[0]:
        for row in range(4):
            for column in range(4):
                total = 0.0
                for k in range(4):
                    total += a[i, row, k] * b[i, k, column]
                c[i, row, column] = total


@case("memory", "structs", "uniform loop", "float32", "1-d", "L2")
def products_4x4():
    a, b = random((1 << 14, 4, 4)), random((1 << 14, 4, 4), seed=2)
    return Case(small_products, blocks(len(a), 128), 128, (a, b, zeros(a.shape)), {2: a @ b}, (len(a),), 1e-5)


@device.kernel
def cholesky(a, out):
    i = device.tid(1)
    if i >= a.shape[0]:
        return
    l = device.local_array((6, 6), device.float64)
    for row in range(6):
        for column in range(row + 1):
            total = a[i, row, column]
            for k in range(column):
                total -= l[row, k] * l[column, k]
            l[row, column] = device.sqrt(total) if row == column else total / l[column, column]
            out[i, row, column] = l[row, column]


@case("compute", "local memory", "uniform loop with ifs", "float64", "1-d", "L2")
def factors_6x6():
    m = random((1 << 13, 6, 6), np.float64)
    a = m @ m.transpose(0, 2, 1) + 6 * np.eye(6)
    return Case(cholesky, blocks(len(a), 64), 64, (a, zeros(a.shape, np.float64)), {1: np.linalg.cholesky(a)}, (len(a),), 1e-10)


@device.kernel
def life(now, after):
    x, y = device.tid(2)
    h, w = now.shape
    if y < h and x < w:
        around = 0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                if dx != 0 or dy != 0:
                    around += now[(y + dy + h) % h, (x + dx + w) % w]
        after[y, x] = 1 if around == 3 or (around == 2 and now[y, x] == 1) else 0


@case("compute", "contiguous", "uniform loop with ifs", "uint8", "2-d", "L2")
def automaton():
    now = random((512, 512), np.uint8) & np.uint8(1)
    around = sum(np.roll(now, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - now
    return Case(life, (16, 64), (32, 8), (now, zeros(now.shape, np.uint8)), {1: ((around == 3) | ((around == 2) & (now == 1))).astype(np.uint8)}, now.shape)


@device.kernel
def dilate(image, out, radius):
    x, y = device.tid(2)
    h, w = image.shape
    if y < h and x < w:
        most = image[y, x]
        for dy in range(-radius, radius + 1):
            for dx in range(-radius, radius + 1):
                if 0 <= y + dy < h and 0 <= x + dx < w:
                    most = max(most, image[y + dy, x + dx])
        out[y, x] = most


@case("compute", "contiguous", "uniform loop with ifs", "uint8", "2-d", "L2")
def dilation():
    image, radius = random((360, 640), np.uint8), 2
    padded = np.pad(image, radius)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (2 * radius + 1, 2 * radius + 1))
    return Case(dilate, (640 // 16, 360 // 8), (16, 8), (image, np.zeros_like(image), radius), {1: windows.max(axis=(2, 3))}, image.shape)


@device.kernel
def smooth_ring(u, out):
    """Heat on a ring, with the ends as one writes them by hand."""
    i = device.tid(1)
    n = u.shape[0]
    if i < n:
        left = i - 1
        if left < 0:
            left = n - 1
        right = i + 1 if i + 1 < n else 0
        out[i] = u[i] + 0.25 * (u[left] - 2.0 * u[i] + u[right])


@case("memory", "contiguous", "straight", "float32", "1-d", "L2")
def ring():
    u = random(100_003)
    expected = u + np.float32(0.25) * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
    return Case(smooth_ring, blocks(len(u), 192), 192, (u, zeros(len(u))), {1: expected}, (len(u),), 1e-6)


@device.kernel
def digit_sums(x, base, out):
    i = device.tid(1)
    if i < x.shape[0]:
        rest = x[i]
        total = 0
        while rest > 0:
            total += rest % base
            rest //= base
        out[i] = total


@case("compute", "contiguous", "divergent loop", "int32", "1-d", "L2")
def digits():
    x = random(1 << 17, np.int32) & np.int32(0x7FFFFFFF)
    rest, total = x.copy(), np.zeros_like(x)
    while rest.any():
        total, rest = total + rest % 10, rest // 10
    return Case(digit_sums, blocks(len(x), 256), 256, (x, 10, zeros(len(x), np.int32)), {2: total}, (len(x),))


@device.kernel
def roll_back(x, shift, out):
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        out[i] = x[(i + shift) % n]


@case("memory", "contiguous", "straight", "float32", "1-d", "L2")
def rolled():
    x = random(100_001)
    return Case(roll_back, blocks(len(x), 256), 256, (x, 12345, zeros(len(x))), {2: np.roll(x, -12345)}, (len(x),), small=True)
