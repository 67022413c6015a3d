"""A thread per element, nothing but straight code: element types, access patterns, sizes."""

import numpy as np

from gallery.case import Case, blocks, case, random, zeros
from hetjit import device

BIG, CACHED, TINY = 1 << 23, 100_000, 2048


@device.kernel
def mix_bytes(x, y, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = (x[i] * device.int32(77) + y[i] * device.int32(179)) >> 8


@case("memory", "contiguous", "straight", "uint8", "1-d", "memory")
def bytes_mixed():
    x, y = random(2 * BIG, np.uint8), random(2 * BIG, np.uint8, 2)
    expected = ((x.astype(np.int32) * 77 + y.astype(np.int32) * 179) >> 8).astype(np.uint8)
    return Case(mix_bytes, blocks(2 * BIG, 256), 256, (x, y, zeros(2 * BIG, np.uint8)), {2: expected}, (2 * BIG,))


@device.kernel
def axpy(a, x, y, out):
    i = device.tid(1)
    if i < x.shape[0]:
        out[i] = a * x[i] + y[i]


def axpy_of(n, dtype, tolerance):
    def make():
        x, y = random(n, dtype), random(n, dtype, 2)
        expected = (2 * x.astype(np.float64) + y).astype(dtype)
        return Case(axpy, blocks(n, 256), 256, (2.0, x, y, zeros(n, dtype)), {3: expected}, (n,), tolerance, small=n < BIG)
    return make


for name, n, dtype, place in (("axpy_tiny", TINY, np.float32, "L1"), ("axpy_cached", CACHED, np.float32, "L2"),
                              ("axpy_half", BIG, np.float16, "memory")):
    make = axpy_of(n, dtype, 1e-3 if dtype == np.float16 else 1e-6)
    make.__name__ = name
    case("memory", "contiguous", "straight", np.dtype(dtype).name, "1-d", place)(make)


@device.kernel
def triad(a, b, c, out):
    i = device.tid(1)
    if i >= out.shape[0]:
        return
    out[i] = a[i] * b[i] + c[i]


@case("memory", "contiguous", "early return", "float64", "1-d", "memory")
def triad_double():
    a, b, c = (random(BIG // 2, np.float64, seed) for seed in (1, 2, 3))
    return Case(triad, blocks(BIG // 2, 256), 256, (a, b, c, zeros(BIG // 2, np.float64)), {3: a * b + c}, (BIG // 2,), 1e-12)


@device.kernel
def multiply(x, y, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = x[i] * y[i]


@case("memory", "contiguous", "straight", "complex64", "1-d", "L2")
def complex_product():
    n = CACHED // 2
    x, y = random(n, np.complex64), random(n, np.complex64, 2)
    return Case(multiply, blocks(n, 128), 128, (x, y, zeros(n, np.complex64)), {2: x * y}, (n,), 1e-5, small=True)


@device.kernel
def mix(x, out):
    i = device.tid(1)
    if i < x.shape[0]:
        z = x[i]
        z = (z ^ (z >> 30)) * device.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> 27)) * device.uint64(0x94D049BB133111EB)
        out[i] = z ^ (z >> 31)


@case("memory", "contiguous", "straight", "uint64", "1-d", "memory")
def hashes():
    x, u = random(BIG // 4, np.uint64), np.uint64
    z = (x ^ (x >> u(30))) * u(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> u(27))) * u(0x94D049BB133111EB)
    return Case(mix, blocks(len(x), 256), 256, (x, zeros(len(x), u)), {1: z ^ (z >> u(31))}, (len(x),))


@device.kernel
def to_grey(colour, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = (77 * int(colour[i, 0]) + 150 * int(colour[i, 1]) + 29 * int(colour[i, 2])) >> 8


@case("memory", "strided", "straight", "uint8", "1-d", "memory")
def grey():
    colour = random((BIG // 2, 3), np.uint8)
    expected = (colour.astype(np.int32) @ np.array([77, 150, 29], np.int32) >> 8).astype(np.uint8)
    return Case(to_grey, blocks(BIG // 2, 256), 256, (colour, zeros(BIG // 2, np.uint8)), {1: expected}, (BIG // 2,))


PARTICLE = np.dtype([("x", np.float32), ("y", np.float32), ("dx", np.float32), ("dy", np.float32)])


@device.kernel
def move(now, after, dt):
    i = device.tid(1)
    if i < now.shape[0]:
        own = now[i]
        after[i] = own.replace(x=own.x + dt * own.dx, y=own.y + dt * own.dy, dx=own.dx * 0.5, dy=own.dy * 0.5)


@case("memory", "structs", "straight", "records", "1-d", "memory")
def particles():
    now = random(BIG, np.float32).view(PARTICLE)
    after, half = np.zeros_like(now), np.float32(0.5)
    expected = np.zeros_like(now)
    for place, speed in (("x", "dx"), ("y", "dy")):
        expected[place], expected[speed] = now[place] + half * now[speed], now[speed] * half
    return Case(move, blocks(len(now), 256), 256, (now, after, 0.5), {1: expected}, (len(now),), 1e-6)


@device.kernel
def gather(x, where, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = x[where[i]]


@device.kernel
def scatter(x, where, out):
    i = device.tid(1)
    if i < x.shape[0]:
        out[where[i]] = x[i]


def permuted(kernel, n, expected):
    x, where = random(n), np.random.default_rng(3).permutation(n).astype(np.int32)
    return Case(kernel, blocks(n, 256), 256, (x, where, zeros(n)), {2: expected(x, where)}, (n,))


@case("memory", "gathered", "straight", "float32", "1-d", "L2")
def gathered():
    return permuted(gather, CACHED, lambda x, where: x[where])


@case("memory", "gathered", "straight", "float32", "1-d", "memory")
def gathered_far():
    return permuted(gather, BIG // 2, lambda x, where: x[where])


@device.kernel
def look_up(x, table, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = table[x[i]]


@case("memory", "gathered", "straight", "uint8", "1-d", "L2")
def looked_up():
    x, table = (np.random.default_rng(seed).integers(0, 256, n, np.uint8) for seed, n in ((1, 1 << 20), (2, 256)))
    return Case(look_up, blocks(len(x), 256), 256, (x, table, zeros(len(x), np.uint8)), {2: table[x]}, (len(x),))


@case("memory", "scattered", "straight", "float32", "1-d", "L2")
def scattered():
    def expected(x, where):
        out = np.zeros_like(x)
        out[where] = x
        return out
    return permuted(scatter, CACHED, expected)


@device.kernel
def table_rows(table, rows, out):
    i = device.tid(1)
    width = out.shape[1]
    if i < out.size:
        out[i // width, i % width] = table[rows[i // width], i % width]


@case("memory", "gathered", "straight", "float32", "1-d, places taken apart", "L2")
def flat_index():
    table, rows = random((4000, 100)), np.random.default_rng(5).integers(0, 4000, 8192, np.int32)
    return Case(table_rows, blocks(819200, 256), 256, (table, rows, zeros((8192, 100))), {2: table[rows]}, (8192, 100))


@device.kernel
def butterfly(a, roots, out, half):
    i = device.tid(1)
    if i < a.shape[0] // 2:
        k = i & (half - 1)
        low = 2 * (i - k) + k
        turned = a[low + half] * roots[k]
        out[low] = a[low] + turned
        out[low + half] = a[low] - turned


@case("compute", "strided", "straight", "complex64", "1-d, places taken apart", "memory")
def butterflies():
    n, half = 1 << 20, 64
    a, roots = random(n, np.complex64), random(half, np.complex64, 2)
    pairs = a.reshape(-1, 2, half)
    low, high = pairs[:, 0], pairs[:, 1] * roots
    expected = np.stack([low + high, low - high], axis=1).reshape(-1)
    return Case(butterfly, blocks(n // 2, 256), 256, (a, roots, zeros(n, np.complex64), half), {2: expected}, (n,), 1e-5)
