"""What is timed: per kernel its arrays, its forms (hetjit, plain C++, best C++, NumPy) and the check of a result against NumPy."""

import dataclasses
from collections.abc import Callable

import numpy as np

import kernels
import kernels_block


@dataclasses.dataclass
class Case:
    title: str
    arguments: tuple  # arrays and numbers, in the order in which Numba's and OpenCL's forms take them
    outputs: tuple  # arrays; set to zero before a result is checked
    forms: dict[str, Callable[[], object]]
    error: Callable[[], float]  # how far the outputs are from NumPy's, against what a form's own arithmetic may differ by; ≤ 1 is right


def relative(found, expected, tolerance, floor=1e-30):
    """The largest relative difference in units of the tolerance; small expected values count as `floor`."""
    worst = 0.0
    for rows in range(0, found.shape[0], 1 << 20):
        part, want = found[rows:rows + (1 << 20)], expected[rows:rows + (1 << 20)]
        worst = max(worst, float(np.max(np.abs(part - want) / np.maximum(np.abs(want), floor))))
    return worst / tolerance if np.isfinite(worst) else np.inf


def zeros(shape, dtype=np.float32):
    """Whole cache lines, as non-temporal stores want them."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + 64, np.uint8)
    return memory[-memory.ctypes.data % 64:][:size].view(dtype).reshape(shape)


def random(shape, seed=1):
    return np.random.default_rng(seed).random(dtype=np.float32, out=zeros(shape))


def saxpy(plain, vector, threads, small):
    n = 1 << (20 if small else 26)
    x, y = random(n), zeros(n)
    return Case(f"saxpy, {n >> 20}M", (2.0, x, y), (y,), dict(
        hetjit=lambda: kernels.saxpy[n // 256, 256](2.0, x, y),
        plain=plain.saxpy(2.0, x, y, n, threads=threads),
        vector=vector.saxpy(2.0, x, y, n, threads=threads),
        numpy=lambda: np.add(np.multiply(np.float32(2), x), y, out=y)),
        lambda: relative(y, 2 * x, 1e-6))


def stencil(plain, vector, threads, small):
    n = 1024 if small else 4096
    z, out = random((n, n)), zeros((n, n))

    def numpy(z=z, out=out):
        out[1:-1, 1:-1] = np.float32(0.25) * (z[:-2, 1:-1] + z[2:, 1:-1] + z[1:-1, :-2] + z[1:-1, 2:])

    def error():
        expected = np.zeros((n, n))
        numpy(z.astype(np.float64), expected)
        return relative(out, expected, 1e-6)

    return Case(f"5-point stencil, {n}²", (z, out), (out,), dict(
        hetjit=lambda: kernels.stencil[(n // 64, n // 4), (64, 4)](z, out),
        plain=plain.stencil(z, out, n, n, threads=threads),
        vector=vector.stencil(z, out, n, n, threads=threads),
        streaming=vector.stencil_streaming(z, out, n, n, threads=threads),
        numpy=numpy), error)


def escape_counts(rows, n, left, top, step, limit):
    """Iteration counts of some rows of the picture, by NumPy."""
    cr = (np.float32(left) + np.arange(n, dtype=np.float32) * np.float32(step))[None, :]
    ci = (np.float32(top) + rows.astype(np.float32) * np.float32(step))[:, None]
    zr, zi, counts = np.zeros((len(rows), n), np.float32), np.zeros((len(rows), n), np.float32), np.zeros((len(rows), n), np.int32)
    going = np.ones(counts.shape, bool)
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(limit):
            rr, ii = zr * zr, zi * zi
            going &= rr + ii <= 4
            counts += going
            zr, zi = rr - ii + cr, 2 * zr * zi + ci
    return counts


def mandelbrot(plain, vector, threads, small):
    n, limit = 512 if small else 2048, 256
    counts = np.zeros((n, n), np.int32)
    numbers = (-2.0, -1.25, 2.5 / n)

    def numpy():
        counts[:] = escape_counts(np.arange(n), n, *numbers, limit)

    def error():  # points next to the set's edge change with the last bit of a sum
        rows = np.arange(0, n, 16)
        return float(np.mean(counts[rows] != escape_counts(rows, n, *numbers, limit))) / 0.02

    return Case(f"Mandelbrot, {n}² x {limit}", (counts, *numbers, limit), (counts,), dict(
        hetjit=lambda: kernels.mandelbrot[(n // 64, n // 4), (64, 4)](counts, *numbers, limit),
        plain=plain.mandelbrot(counts, n, n, *numbers, limit, threads=threads, ints=(6,)),
        vector=vector.mandelbrot(counts, n, n, *numbers, limit, threads=threads, ints=(6,)),
        numpy=numpy), error)


def pull(p, v, m, dt, softening):
    for first in range(0, len(p), 256):
        d = p[None] - p[first:first + 256, None]
        r2 = np.einsum("ijk,ijk->ij", d, d) + softening
        v[first:first + 256] += dt * np.einsum("ij,ijk->ik", m / (r2 * np.sqrt(r2)), d)


def nbody(plain, vector, threads, small):
    n = 1024 if small else 8192
    p = np.random.default_rng(1).standard_normal((n, 3)).astype(np.float32)
    v, m = np.zeros_like(p), np.full(n, 1 / n, np.float32)

    def error():
        expected = np.zeros((n, 3))
        pull(p.astype(np.float64), expected, m.astype(np.float64), 0.01, 1e-3)
        return relative(v, expected, 1e-3, floor=1e-3)

    return Case(f"n-body, {n}, one step", (p, v, m, 0.01, 1e-3), (v,), dict(
        hetjit=lambda: kernels.kick[n // 128, 128](p, v, m, 0.01, 1e-3),
        plain=plain.kick(p, v, m, 0.01, 1e-3, n, threads=threads),
        vector=vector.kick(p, v, m, 0.01, 1e-3, n, threads=threads),
        numpy=lambda: pull(p, v, m, np.float32(0.01), np.float32(1e-3))), error)


def matmul(plain, vector, threads, small):
    n = 256 if small else 1024
    a, b, c = random((n, n)), random((n, n), 2), zeros((n, n))
    return Case(f"tiled matmul, {n}", (a, b, c), (c,), dict(
        hetjit=lambda: kernels_block.matmul[(n // 16, n // 16), (16, 16)](a, b, c),
        plain=plain.matmul(a, b, c, n, threads=threads),
        vector=vector.matmul(a, b, c, n, threads=threads),
        numpy=lambda: np.matmul(a, b, out=c)),
        lambda: relative(c, a.astype(np.float64) @ b, 1e-5))


def sums(title, kernel):
    def make(plain, vector, threads, small):
        n, chunk = 1 << (20 if small else 26), kernels_block.CHUNK
        x, partial = random(n), zeros(n // chunk)
        return Case(f"{title}, {n >> 20}M", (x, partial), (partial,), dict(
            hetjit=lambda: kernel[n // chunk, kernels_block.BLOCK](x, partial),
            plain=plain.sums(x, partial, n // chunk, chunk, threads=threads),
            vector=vector.sums(x, partial, n // chunk, chunk, threads=threads),
            numpy=lambda: np.sum(x.reshape(-1, chunk), axis=1, out=partial)),
            lambda: relative(partial, x.reshape(-1, chunk).sum(axis=1, dtype=np.float64), 1e-4))
    return make


def histogram(plain, vector, threads, small):
    n = 1 << (20 if small else 26)
    x, counts = np.random.default_rng(1).integers(0, 256, n, np.uint8), np.zeros(256, np.int32)

    def hetjit():
        counts[:] = 0
        kernels_block.histogram[n // kernels_block.HISTOGRAM_CHUNK, kernels_block.BLOCK](x, counts)

    def numpy():
        counts[:] = np.bincount(x, minlength=256)

    return Case(f"histogram, {n >> 20}M", (x, counts), (counts,), dict(
        hetjit=hetjit, plain=plain.histogram(x, counts, n, threads=threads),
        vector=vector.histogram(x, counts, n, threads=threads), numpy=numpy),
        lambda: 0.0 if np.array_equal(counts, np.bincount(x, minlength=256)) else np.inf)


def black_scholes(plain, vector, threads, small):
    n = 1 << (18 if small else 24)
    price, strike, years = 5 + 25 * random(n), 1 + 99 * random(n, 2), np.float32(0.25) + 10 * random(n, 3)
    call, put = zeros(n), zeros(n)
    arguments = (price, strike, years, call, put, 0.02, 0.3)

    def error():  # NumPy has no erf: Python's, for a few of the options
        from math import erf
        few = slice(0, n, n // 4096)
        s, k, t = (a[few].astype(np.float64) for a in (price, strike, years))
        d1 = (np.log(s / k) + (0.02 + 0.5 * 0.3 * 0.3) * t) / (0.3 * np.sqrt(t))
        above, below = (0.5 + 0.5 * np.vectorize(erf)(d / np.sqrt(2)) for d in (d1, d1 - 0.3 * np.sqrt(t)))
        later = k * np.exp(-0.02 * t)
        return max(relative(call[few], s * above - later * below, 1e-4, 1e-1),
                   relative(put[few], later * (1 - below) - s * (1 - above), 1e-4, 1e-1))

    return Case(f"Black-Scholes, {n / (1 << 20):g}M", arguments, (call, put), dict(
        hetjit=lambda: kernels.black_scholes[n // 256, 256](*arguments),
        plain=plain.black_scholes(*arguments, n, threads=threads),
        vector=vector.black_scholes(*arguments, n, threads=threads)), error)


def transpose(plain, vector, threads, small):
    n = 1024 if small else 4096
    source, result = random((n, n)), zeros((n, n))
    return Case(f"tiled transpose, {n}²", (source, result), (result,), dict(
        hetjit=lambda: kernels_block.transpose[(n // 32, n // 32), (32, 8)](source, result),
        plain=plain.transpose(source, result, n, threads=threads),
        vector=vector.transpose(source, result, n, threads=threads),
        streaming=vector.transpose_streaming(source, result, n, threads=threads),
        numpy=lambda: np.copyto(result, source.T)),
        lambda: 0.0 if np.array_equal(result, source.T) else np.inf)


CASES = {
    "saxpy": saxpy, "stencil": stencil, "mandelbrot": mandelbrot, "nbody": nbody, "matmul": matmul,
    "tree_sums": sums("tree reduction", kernels_block.tree_sums), "shuffle_sums": sums("shuffle reduction", kernels_block.shuffle_sums),
    "histogram": histogram, "black_scholes": black_scholes, "transpose": transpose,
}
