"""What checks cost: the same kernels with and without, in turn, on the host."""

import numpy as np

import kernels_block
import measure
from hetjit import device

CHECKS = ("bounds", "arith", "race", "init")


def stencil(z, out):
    j, i = device.tid(2)
    if 0 < i < z.shape[0] - 1 and 0 < j < z.shape[1] - 1:
        out[i, j] = 0.25 * (z[i - 1, j] + z[i + 1, j] + z[i, j - 1] + z[i, j + 1])


def stencil_of_given_size(z, out, rows, columns):
    """The guard says nothing about the arrays: every access is checked."""
    j, i = device.tid(2)
    if 0 < i < rows - 1 and 0 < j < columns - 1:
        out[i, j] = 0.25 * (z[i - 1, j] + z[i + 1, j] + z[i, j - 1] + z[i, j + 1])


def gather(x, where, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = x[where[i]]


def product(a, b, c, n):
    j, i = device.tid(2)
    if i < n and j < n:
        total = 0.0
        for k in range(n):
            total += a[i, k] * b[k, j]
        c[i, j] = total


def bins(values, per, out):
    i = device.tid(1)
    if i < values.shape[0]:
        out[i] = values[i] // per + values[i] % per


def scale(x, by):
    i = device.tid(1)
    if i < x.shape[0]:
        x[i] = x[i] * by


def cases():
    n = 4096
    z = np.random.default_rng(1).random((n, n), np.float32)
    out = np.zeros_like(z)
    yield "5-point stencil, guarded by the shape", stencil, (n // 64, n // 4), (64, 4), (z, out)
    yield "5-point stencil, guarded by numbers", stencil_of_given_size, (n // 64, n // 4), (64, 4), (z, out, n, n)
    m = 1 << 22
    x, where = np.ones(m, np.float32), np.random.default_rng(2).integers(0, m, m).astype(np.int32)
    yield "gather, 4M", gather, m // 256, 256, (x, where, np.zeros(m, np.float32))
    # Not 512: columns of rows 2 KiB long share a few sets of the caches, and the least change of the loop's pace tells.
    yield "matrix product, 500", product, (8, 125), (64, 4), (*(np.ones((500, 500), np.float32) for _ in "abc"), 500)
    yield "floor division, 4M", bins, m // 256, 256, (where, 7, np.zeros(m, np.int32))
    y = x.copy()
    yield "in place, 4M", scale, m // 256, 256, (y, 0.5)
    yield "tiled product, shared memory, 512", kernels_block.matmul.underlying, (32, 32), (16, 16), tuple(
        np.ones((512, 512), np.float32) for _ in "abc")
    sums = np.zeros(4 * m // kernels_block.CHUNK, np.float32)
    yield "tree sums, 16M", kernels_block.tree_sums.underlying, sums.size, 256, (z.ravel(), sums)
    yield "shuffle sums, 16M", kernels_block.shuffle_sums.underlying, sums.size, 256, (z.ravel(), sums)
    keys, counts = np.random.default_rng(3).integers(0, 256, 4 * m).astype(np.int32), np.zeros(256, np.int32)
    yield "histogram, shared atomics, 16M", kernels_block.histogram.underlying, keys.size // kernels_block.HISTOGRAM_CHUNK, 256, (keys, counts)
    yield "transpose by tiles, 4096", kernels_block.transpose.underlying, (n // 32, n // 32), (32, 8), (z, out)


def table():
    rows = []
    for name, function, grid, block, arguments in cases():
        kernels = {check: device.kernel(check=check)(function) for check in ("", *CHECKS)}
        runs = {check: (lambda k=k: k[grid, block](*arguments)) for check, k in kernels.items()}
        found = measure.alternate_ms(runs, repeat=9)
        plain = found[""]
        rows.append([name, f"{plain:.1f}", *(f"{found[check] / plain:.2f}" for check in CHECKS)])
    return measure.markdown(["kernel", "without, ms", *(f"`check=\"{check}\"`, times that" for check in CHECKS)], rows)
