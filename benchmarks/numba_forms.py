"""The timed kernels as Numba's users write them: loops under @njit(parallel=True). FORMS has one function per case of cases.py."""

import math

import numpy as np
from numba import njit, prange

import kernels_block

CHUNK = kernels_block.CHUNK


@njit(parallel=True)
def saxpy(a, x, y):
    a = np.float32(a)
    for i in prange(x.shape[0]):
        y[i] = a * x[i] + y[i]


@njit(parallel=True)
def stencil(z, out):
    for i in prange(1, z.shape[0] - 1):
        for j in range(1, z.shape[1] - 1):
            out[i, j] = np.float32(0.25) * (z[i - 1, j] + z[i + 1, j] + z[i, j - 1] + z[i, j + 1])


@njit(parallel=True)
def mandelbrot(counts, left, top, step, limit):
    left, top, step = np.float32(left), np.float32(top), np.float32(step)
    for y in prange(counts.shape[0]):
        for x in range(counts.shape[1]):
            cr, ci = left + np.float32(x) * step, top + np.float32(y) * step
            zr = zi = np.float32(0)
            n = 0
            while n < limit:
                rr, ii = zr * zr, zi * zi
                if rr + ii > np.float32(4):
                    break
                zi = np.float32(2) * zr * zi + ci
                zr = rr - ii + cr
                n += 1
            counts[y, x] = n


@njit(parallel=True)
def nbody(p, v, m, dt, softening):
    dt, softening = np.float32(dt), np.float32(softening)
    for i in prange(p.shape[0]):
        ax = ay = az = np.float32(0)
        for j in range(p.shape[0]):
            dx, dy, dz = p[j, 0] - p[i, 0], p[j, 1] - p[i, 1], p[j, 2] - p[i, 2]
            r2 = dx * dx + dy * dy + dz * dz + softening
            s = m[j] / (r2 * np.sqrt(r2))
            ax, ay, az = ax + s * dx, ay + s * dy, az + s * dz
        v[i, 0] += dt * ax
        v[i, 1] += dt * ay
        v[i, 2] += dt * az


@njit(parallel=True)
def matmul(a, b, c):
    n = a.shape[0]
    for i in prange(n):
        c[i, :] = 0
        for k in range(n):
            left = a[i, k]
            for j in range(n):
                c[i, j] += left * b[k, j]


@njit(parallel=True)
def sums(x, partial):
    for b in prange(partial.shape[0]):
        total = np.float32(0)
        for i in range(b * CHUNK, (b + 1) * CHUNK):
            total += x[i]
        partial[b] = total


@njit(parallel=True)
def histogram(x, counts):
    parts = 64
    own = np.zeros((parts, 256), np.int32)
    for part in prange(parts):
        for i in range(part * x.shape[0] // parts, (part + 1) * x.shape[0] // parts):
            own[part, x[i]] += 1
    counts[:] = own.sum(axis=0)


@njit
def normal(d):
    return np.float32(0.5) + np.float32(0.5) * np.float32(math.erf(d * np.float32(0.70710678)))


@njit(parallel=True)
def black_scholes(price, strike, years, call, put, rate, volatility):
    rate, volatility = np.float32(rate), np.float32(volatility)
    for i in prange(price.shape[0]):
        s, k, t = price[i], strike[i], years[i]
        deviation = volatility * np.sqrt(t)
        d1 = (np.log(s / k) + (rate + np.float32(0.5) * volatility * volatility) * t) / deviation
        d2 = d1 - deviation
        discounted = k * np.exp(-rate * t)
        above, below = normal(d1), normal(d2)
        call[i] = s * above - discounted * below
        put[i] = discounted * (np.float32(1) - below) - s * (np.float32(1) - above)


@njit(parallel=True)
def transpose(source, result):
    for i in prange(result.shape[0]):
        for j in range(result.shape[1]):
            result[i, j] = source[j, i]


FORMS = {
    "saxpy": saxpy, "stencil": stencil, "mandelbrot": mandelbrot, "nbody": nbody, "matmul": matmul, "tree_sums": sums,
    "shuffle_sums": sums, "histogram": histogram, "black_scholes": black_scholes, "transpose": transpose,
}
