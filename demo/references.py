"""Independent NumPy references for the demo's kernels: whole-array programs, no loops over elements."""

import numpy as np


def mandelbrot(height, width, left, top, step, limit):
    f = np.float32
    x = f(left) + np.arange(width, dtype=f) * f(step)
    y = f(top) + np.arange(height, dtype=f) * f(step)
    cr, ci = (a.ravel() for a in np.meshgrid(x, y))
    counts = np.full(cr.size, limit, np.int32)
    index = np.arange(cr.size)
    zr, zi = np.zeros_like(cr), np.zeros_like(ci)
    for n in range(limit):
        rr, ii = zr * zr, zi * zi
        escaped = rr + ii > f(4)
        counts[index[escaped]] = n
        keep = ~escaped
        index = index[keep]
        cr, ci, rr, ii, zr, zi = (a[keep] for a in (cr, ci, rr, ii, zr, zi))
        zi = f(2) * zr * zi + ci
        zr = rr - ii + cr
    return counts.reshape(height, width)


def terrain(z, dx, dy, azimuth, altitude):
    p = np.pad(z.astype(np.float64), 1, mode="edge")
    column = lambda a: a[:-2] + 2 * a[1:-1] + a[2:]
    row = lambda a: a[:, :-2] + 2 * a[:, 1:-1] + a[:, 2:]
    gx = (column(p)[:, 2:] - column(p)[:, :-2]) / (8 * dx)
    gy = (row(p)[2:] - row(p)[:-2]) / (8 * dy)
    slope = np.arctan(np.hypot(gx, gy))
    aspect = np.arctan2(gy, -gx)
    shade = np.sin(altitude) * np.cos(slope) + np.cos(altitude) * np.sin(slope) * np.cos(azimuth - aspect)
    return np.degrees(slope), np.degrees(aspect) % 360, np.maximum(shade, 0)


def blur(photo, weights):
    radius = len(weights) // 2
    out = np.pad(photo.astype(np.float64), ((radius, radius), (radius, radius), (0, 0)), mode="edge")
    weights = weights.astype(np.float64)
    out = np.sum([w * out[k:k + photo.shape[0]] for k, w in enumerate(weights)], axis=0)
    out = np.sum([w * out[:, k:k + photo.shape[1]] for k, w in enumerate(weights)], axis=0)
    return np.floor(out + 0.5).astype(np.uint8)


def edges(photo):
    y = photo.astype(np.float64) @ np.array([0.299, 0.587, 0.114])
    gx = (y[:-2, 2:] + 2 * y[1:-1, 2:] + y[2:, 2:]) - (y[:-2, :-2] + 2 * y[1:-1, :-2] + y[2:, :-2])
    gy = (y[2:, :-2] + 2 * y[2:, 1:-1] + y[2:, 2:]) - (y[:-2, :-2] + 2 * y[:-2, 1:-1] + y[:-2, 2:])
    out = np.zeros(y.shape, np.uint8)
    out[1:-1, 1:-1] = np.minimum(np.hypot(gx, gy), 255).astype(np.uint8)
    return out


def nbody(positions, velocities, masses, dt, softening, steps, chunk=256):
    p, v = positions.copy(), velocities.copy()
    for _ in range(steps):
        for first in range(0, len(p), chunk):
            d = p[None, :, :] - p[first:first + chunk, None, :]
            r2 = np.einsum("ijk,ijk->ij", d, d) + np.float32(softening)
            s = masses / (r2 * np.sqrt(r2))
            v[first:first + chunk] += np.float32(dt) * np.einsum("ij,ijk->ik", s, d)
        p += np.float32(dt) * v
    return p
