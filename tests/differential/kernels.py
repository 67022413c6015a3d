"""Kernels for the differential tests: each exercises one part of the language. CASES lists how each is launched."""

import math

import numpy as np

from hetjit import device

SCALE = 3
TABLE = (2, 3, 5, 7)


@device.kernel
def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]


@device.kernel
def arithmetic(x, y, out):
    i = device.tid(1)
    if i < len(x):
        a, b = x[i], y[i]
        out[i, 0] = a + b
        out[i, 1] = a - b
        out[i, 2] = a * b
        out[i, 3] = -a
        out[i, 4] = abs(a)
        out[i, 5] = a // b
        out[i, 6] = a % b
        out[i, 7] = min(a, b)
        out[i, 8] = max(a, b)
        out[i, 9] = +b


@device.kernel
def division(x, y, out):
    i = device.tid(1)
    if i < len(x):
        out[i] = x[i] / y[i]


@device.kernel
def roots(x, y, out):
    i = device.tid(1)
    if i < x.size:
        out[i] = np.sqrt(abs(x[i])) + np.floor(y[i]) - np.trunc(x[i]) * np.ceil(y[i])


@device.kernel
def bits(x, y, out):
    i = device.tid(1)
    if i < len(x):
        a, b = x[i], y[i]
        out[i, 0] = a & b
        out[i, 1] = a | b
        out[i, 2] = a ^ b
        out[i, 3] = ~a
        out[i, 4] = a << 3
        out[i, 5] = a >> 2
        out[i, 6] = (a << 1) ^ (b >> 1) & a | b


@device.kernel
def comparisons(x, y, out):
    i = device.tid(1)
    if i < len(x):
        a, b = x[i], y[i]
        out[i, 0] = a < b
        out[i, 1] = a <= b
        out[i, 2] = a == b
        out[i, 3] = a != b
        out[i, 4] = a > b
        out[i, 5] = a >= b
        out[i, 6] = 0 < a <= b
        out[i, 7] = not a
        out[i, 8] = a > 0 and b > 0 or a == b


@device.kernel
def branches(x, out):
    i = device.tid(1)
    if i >= len(x):
        return
    v = x[i]
    if v > 10:
        r = v - 10
    elif v > 0:
        r = v * 2
    elif v == 0:
        r = v
    else:
        r = -v
    out[i] = r if r != 4 else r + 1


@device.kernel
def collatz(x, steps):
    i = device.tid(1)
    if i < len(x):
        n = x[i]
        count = 0
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
            if count >= 200:
                break
        else:
            count += 1000
        steps[i] = count


@device.kernel
def loops(x, out):
    i = device.tid(1)
    if i >= len(x):
        return
    total = x[i] - x[i]
    for j in range(0, 12, 3):
        if j == 6:
            continue
        total += x[i] + j
    for j in range(5, -6, -2):
        for k in range(j):
            if k == 3:
                break
            total -= k
        else:
            total += 7
    for _ in range(3, 3):
        total = total + 1000
    out[i] = total


@device.kernel
def prefix(x, out):
    """Loop-carried arrays: one thread, dependent reads and writes."""
    if device.tid(1) == 0:
        out[0] = x[0]
        for i in range(1, len(x)):
            out[i] = out[i - 1] + x[i]


@device.kernel
def stencil(z, out):
    j, i = device.tid(2)
    if 0 < i < z.shape[0] - 1 and 0 < j < z.shape[1] - 1:
        out[i, j] = (z[i - 1, j] + z[i + 1, j]) + (z[i, j - 1] + z[i, j + 1]) - 4 * z[i, j]


@device.kernel
def negative_indices(x, out):
    i = device.tid(1)
    if i < len(x):
        out[-1 - i] = x[i]
        out[-1 - i, ] += x[-1]  # the same element: others belong to other threads


@device.kernel
def three_dimensions(x, out):
    i, j, k = device.thread_idx.z, device.thread_idx.y, device.thread_idx.x
    out[i, j, k] = x[k, j, i] + x[i, j, k]


@device.kernel
def shapes(z, out):
    if device.tid(1) == 0:
        out[0] = z.shape[0]
        out[1] = z.shape[1]
        out[2] = z.ndim
        out[3] = z.size
        out[4] = len(z)


@device.func
def rotate(a, b, c=1, *, scale=2):
    return b * scale, c, a


@device.func
def twice(f, v):
    return f(f(v))


@device.kernel
def calls(x, out):
    i = device.tid(1)
    if i < len(x):
        v = x[i]
        a, b, c = rotate(v, v + 1)
        d, (e, f) = a, (b, c)
        g, *rest = rotate(c=v, a=d, b=e, scale=3)
        out[i] = d + e * 2 - f + g - rest[0] + twice(lambda w: w * 2 + SCALE, v) + TABLE[1]


@device.kernel
def swaps(x, out):
    i = device.tid(1)
    if i < len(x):
        a, b, c = x[i], x[-1], x[0]
        for _ in range(4):
            a, b, c = b, c, a
        t = (a, b, c)
        out[i] = t[0] * 2 + t[1] - t[-1]


@device.kernel
def walrus(x, out):
    i = device.tid(1)
    if i < len(x) and (v := x[i] * 2) > 6:
        out[i] = v
    elif i < len(x):
        out[i] = x[i] - 1


@device.kernel
def grid_stride(x, out):
    i = device.tid(1)
    while i < x.shape[0]:
        out[i] = x[i] * x[i]
        i += device.grid_size(1)


@device.kernel
def accumulate(x, out):
    """A literal that later meets elements takes their format from its definition on."""
    if device.tid(1) == 0:
        total = 0.0
        for i in range(len(x)):
            total += x[i]
        out[0] = total


@device.kernel
def casts(x, out8, out32, outf):
    i = device.tid(1)
    if i < len(x):
        out8[i] = device.int8(x[i])
        out32[i] = int(x[i])
        outf[i] = float(int(x[i])) + 0.5


@device.kernel
def rounding(x, out):
    i = device.tid(1)
    if i < len(x):
        q, r = divmod(x[i], x[-1])
        out[i] = round(x[i]) + q - r


@device.kernel
def powers(x, out):
    i = device.tid(1)
    if i < len(x):
        out[i] = x[i] ** 2 + x[i] ** 3 - x[i] ** 0 + pow(x[i], 1)


@device.kernel
def transcendental(x, out):
    i = device.tid(1)
    if i < len(x):
        out[i, 0] = math.sin(x[i])
        out[i, 1] = math.exp(-abs(x[i]))
        out[i, 2] = np.log(abs(x[i]) + 1)
        out[i, 3] = np.arctan2(x[i], x[-1])
        out[i, 4] = abs(x[i]) ** 0.5
        out[i, 5] = device.tanh(x[i])


def values(dtype, n, seed=1):
    """Numbers with the troublesome ones among them."""
    random = np.random.default_rng(seed)
    if np.issubdtype(dtype, np.floating):
        x = (random.standard_normal(n) * 20).astype(dtype)
        special = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, np.inf, -np.inf, np.nan, np.finfo(dtype).max, np.finfo(dtype).tiny]
        x[:min(n, len(special))] = np.array(special[:n], dtype)
        return random.permutation(x)
    limits = np.iinfo(dtype)
    x = random.integers(limits.min, limits.max, n, dtype=dtype, endpoint=True)
    x[::3] = random.integers(0 if limits.min == 0 else -9, 9, len(x[::3]))
    special = [0, 1, limits.min, limits.max, 2]
    x[:min(n, len(special))] = special[:n]
    return random.permutation(x)


def small(dtype, n, seed=1):
    low = 0 if np.issubdtype(dtype, np.unsignedinteger) else -9
    return np.random.default_rng(seed).integers(low, 20, n).astype(dtype)


INTS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]


def case(kernel, dtype, arguments, grid=4, block=32):
    return kernel, np.dtype(dtype).name, grid, block, arguments


def cases():
    """(kernel, name of the dtype, grid, block, arguments); arguments are fresh arrays."""
    n = 100
    for t in INTS + FLOATS:
        x, y = values(t, n, 1), values(t, n, 2)
        kind = np.float32 if t in FLOATS else t
        yield case(arithmetic, t, (x, y, np.zeros((n, 10), t)))
        yield case(comparisons, t, (x, y, np.zeros((n, 9), np.bool_)))
        yield case(branches, t, (small(t, n), np.zeros(n, t)))
        yield case(negative_indices, t, (x, np.zeros(n, t)))
        yield case(swaps, t, (x, np.zeros(n, t)))
        yield case(walrus, t, (small(t, n) + 1 if kind is t else small(t, n), np.zeros(n, t)))
        yield case(grid_stride, t, (small(t, 300), np.zeros(300, t)))
        yield case(powers, t, (small(t, n) % 4, np.zeros(n, t)))
        yield case(stencil, t, (small(t, 35 * 20).reshape(20, 35), np.zeros((20, 35), t)), (2, 2), (32, 16))
        yield case(three_dimensions, t, (x[:64].reshape(4, 4, 4), np.zeros((4, 4, 4), t)), 1, (4, 4, 4))
        yield case(three_dimensions, t, (x[:64].reshape(4, 4, 4)[::-1, :, ::-1], np.zeros((4, 4, 4), t).T), 1, (4, 4, 4))
    for t in INTS:
        yield case(bits, t, (values(t, n, 1), values(t, n, 2), np.zeros((n, 7), t)))
    for t in FLOATS:
        yield case(saxpy, t, (np.dtype(t).type(2.5), values(t, n, 1), values(t, n, 2)))
        yield case(division, t, (values(t, n, 1), values(t, n, 2), np.zeros(n, t)))
        yield case(roots, t, (values(t, n, 1), values(t, n, 2), np.zeros(n, t)))
        yield case(prefix, t, (values(t, n, 3)[:n], np.zeros(n, t)))
        yield case(accumulate, t, (small(t, n), np.zeros(1, t)))
        yield case(casts, t, (small(t, n) + t(0.75), np.zeros(n, np.int8), np.zeros(n, np.int32), np.zeros(n, t)))
        yield case(rounding, t, (small(t, n) + t(0.5), np.zeros(n, t)))
    for t in (np.int32, np.int64, np.float32, np.float64):
        yield case(loops, t, (small(t, n), np.zeros(n, t)))
        yield case(calls, t, (small(t, n), np.zeros(n, t)))
        yield case(prefix, t, (values(t, n, 4), np.zeros(n, t)))
    yield case(collatz, np.int64, (np.arange(n, dtype=np.int64), np.zeros(n, np.int32)))
    yield case(shapes, np.int32, (np.zeros((3, 5), np.int32), np.zeros(5, np.int64)), 1, 1)


def inexact_cases():
    """Math functions: NumPy's own libm differs in the last bits, so these are compared within bounds."""
    for t in (np.float32, np.float64):
        yield case(transcendental, t, (np.linspace(-6, 6, 100).astype(t), np.zeros((100, 6), t)))
