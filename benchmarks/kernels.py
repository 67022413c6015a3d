"""The kernels that are timed: the same programs as native.cpp, as Python."""

import math

from hetjit import device


@device.kernel
def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]


@device.kernel
def stencil(z, out):
    j, i = device.tid(2)
    if 0 < i < z.shape[0] - 1 and 0 < j < z.shape[1] - 1:
        out[i, j] = 0.25 * (z[i - 1, j] + z[i + 1, j] + z[i, j - 1] + z[i, j + 1])


@device.kernel
def mandelbrot(counts, left, top, step, limit):
    x, y = device.tid(2)
    if x >= counts.shape[1] or y >= counts.shape[0]:
        return
    cr = left + x * step
    ci = top + y * step
    zr = zi = 0.0
    n = 0
    while n < limit:
        rr = zr * zr
        ii = zi * zi
        if rr + ii > 4.0:
            break
        zi = 2.0 * zr * zi + ci
        zr = rr - ii + cr
        n += 1
    counts[y, x] = n


@device.kernel
def kick(p, v, m, dt, softening):
    i = device.tid(1)
    if i >= p.shape[0]:
        return
    ax = ay = az = 0.0
    for j in range(p.shape[0]):
        dx = p[j, 0] - p[i, 0]
        dy = p[j, 1] - p[i, 1]
        dz = p[j, 2] - p[i, 2]
        r2 = dx * dx + dy * dy + dz * dz + softening
        s = m[j] / (r2 * math.sqrt(r2))
        ax, ay, az = ax + s * dx, ay + s * dy, az + s * dz
    v[i, 0] += dt * ax
    v[i, 1] += dt * ay
    v[i, 2] += dt * az


@device.func
def normal(d):
    return 0.5 + 0.5 * math.erf(d * 0.70710678)


@device.kernel
def black_scholes(price, strike, years, call, put, rate, volatility):
    i = device.tid(1)
    if i >= price.shape[0]:
        return
    s, k, t = price[i], strike[i], years[i]
    deviation = volatility * math.sqrt(t)
    d1 = (math.log(s / k) + (rate + 0.5 * volatility * volatility) * t) / deviation
    d2 = d1 - deviation
    discounted = k * math.exp(-rate * t)
    above, below = normal(d1), normal(d2)
    call[i] = s * above - discounted * below
    put[i] = discounted * (1.0 - below) - s * (1.0 - above)
