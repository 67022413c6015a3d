"""Kernels whose machine code is compared with C++'s (codegen/grids.cu): halos, image pipelines, particles, small matrices."""

import math

from hetjit import device

RADIUS, LINE, SIDE = 3, 256, 16


@device.kernel
def halo_line(source, out):
    tile = device.shared_array(LINE + 2 * RADIUS, device.float32)
    i, at, n = device.tid(1), device.thread_idx.x + RADIUS, source.shape[0]
    tile[at] = source[i] if i < n else 0.0
    if device.thread_idx.x < RADIUS:
        tile[at - RADIUS] = source[i - RADIUS] if i >= RADIUS else 0.0
        tile[at + LINE] = source[i + LINE] if i + LINE < n else 0.0
    device.syncthreads()
    total = 0.0
    for d in range(-RADIUS, RADIUS + 1):
        total += tile[at + d]
    if i < n:
        out[i] = total


@device.kernel
def halo_plane(u, out, c):
    tile = device.shared_array((SIDE + 2, SIDE + 2), device.float32)
    tx, ty = device.thread_idx.x, device.thread_idx.y
    x, y = device.block_idx.x * SIDE + tx, device.block_idx.y * SIDE + ty
    h, w = u.shape
    if x < w and y < h:
        tile[ty + 1, tx + 1] = u[y, x]
        if tx == 0 and x > 0:
            tile[ty + 1, 0] = u[y, x - 1]
        if tx == SIDE - 1 and x < w - 1:
            tile[ty + 1, SIDE + 1] = u[y, x + 1]
        if ty == 0 and y > 0:
            tile[0, tx + 1] = u[y - 1, x]
        if ty == SIDE - 1 and y < h - 1:
            tile[SIDE + 1, tx + 1] = u[y + 1, x]
    device.syncthreads()
    if 0 < x < w - 1 and 0 < y < h - 1:
        around = tile[ty, tx + 1] + tile[ty + 2, tx + 1] + tile[ty + 1, tx] + tile[ty + 1, tx + 2]
        out[y, x] = tile[ty + 1, tx + 1] + c * (around - 4.0 * tile[ty + 1, tx + 1])


@device.kernel
def advect(q, u, out, dt):
    x, y = device.tid(2)
    h, w = q.shape
    if x >= w or y >= h:
        return
    left = w - 1 if x == 0 else x - 1
    right = 0 if x == w - 1 else x + 1
    v = u[y, x]
    flux = q[y, x] - q[y, left] if v > 0 else q[y, right] - q[y, x]
    out[y, x] = q[y, x] - dt * v * flux


@device.kernel
def leapfrog(now, before, k):
    x, y = device.tid(2)
    x, y = x + 1, y + 1
    if x < now.shape[1] - 1 and y < now.shape[0] - 1:
        around = now[y, x - 1] + now[y, x + 1] + now[y - 1, x] + now[y + 1, x]
        before[y, x] = 2.0 * now[y, x] - before[y, x] + k * (around - 4.0 * now[y, x])


@device.kernel
def gauss5(image, out, weight):
    x, y = device.tid(2)
    h, w = image.shape
    if x >= w or y >= h:
        return
    total = 0.0
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            xx, yy = min(max(x + dx, 0), w - 1), min(max(y + dy, 0), h - 1)
            total += weight[(dy + 2) * 5 + dx + 2] * image[yy, xx]
    out[y, x] = total


@device.kernel
def bilateral(image, out, radius, space, reach):
    x, y = device.tid(2)
    h, w = image.shape
    if x >= w or y >= h:
        return
    here, total, weights = image[y, x], 0.0, 0.0
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            xx, yy = x + dx, y + dy
            if 0 <= xx < w and 0 <= yy < h:
                there = image[yy, xx]
                d = there - here
                k = math.exp(-(dx * dx + dy * dy) * space - d * d * reach)
                total += k * there
                weights += k
    out[y, x] = total / weights


@device.kernel
def halve(image, out):
    x, y = device.tid(2)
    if x < out.shape[1] and y < out.shape[0]:
        total = int(image[2 * y, 2 * x]) + int(image[2 * y, 2 * x + 1])
        total += int(image[2 * y + 1, 2 * x]) + int(image[2 * y + 1, 2 * x + 1])
        out[y, x] = device.uint8((total + 2) // 4)


@device.kernel
def median3(image, out):
    x, y = device.tid(2)
    if x < 1 or y < 1 or x >= image.shape[1] - 1 or y >= image.shape[0] - 1:
        return
    v = device.local_array(9, device.float32)
    for dy in range(3):
        for dx in range(3):
            v[dy * 3 + dx] = image[y + dy - 1, x + dx - 1]
    for i in range(5):
        for j in range(i + 1, 9):
            if v[j] < v[i]:
                v[i], v[j] = v[j], v[i]
    out[y, x] = v[4]


@device.kernel
def erode(image, out):
    x, y = device.tid(2)
    h, w = image.shape
    if x >= w or y >= h:
        return
    least = 255
    for dy in range(-1, 2):
        yy = min(max(y + dy, 0), h - 1)
        for dx in range(-1, 2):
            xx = min(max(x + dx, 0), w - 1)
            least = min(least, int(image[yy, xx]))
    out[y, x] = least


@device.kernel
def equalize(image, table, out):
    x, y = device.tid(2)
    if x < image.shape[1] and y < image.shape[0]:
        out[y, x] = table[image[y, x]]


@device.kernel
def integral_rows(image, sums):
    y = device.tid(1)
    if y >= image.shape[0]:
        return
    total = 0.0
    for x in range(image.shape[1]):
        total += image[y, x]
        sums[y, x] = total


@device.kernel
def bin_particles(p, cell, count, inverse, side):
    i = device.tid(1)
    if i >= p.shape[0]:
        return
    cx = min(max(int(p[i, 0] * inverse), 0), side - 1)
    cy = min(max(int(p[i, 1] * inverse), 0), side - 1)
    c = cy * side + cx
    cell[i] = c
    device.atomic.add(count, c, 1)


@device.kernel
def neighbour_forces(p, start, force, inverse, side, reach):
    i = device.tid(1)
    if i >= p.shape[0]:
        return
    px, py, fx, fy = p[i, 0], p[i, 1], 0.0, 0.0
    cx, cy = min(max(int(px * inverse), 0), side - 1), min(max(int(py * inverse), 0), side - 1)
    for y in range(max(cy - 1, 0), min(cy + 1, side - 1) + 1):
        for x in range(max(cx - 1, 0), min(cx + 1, side - 1) + 1):
            for j in range(start[y * side + x], start[y * side + x + 1]):
                dx, dy = p[j, 0] - px, p[j, 1] - py
                d2 = dx * dx + dy * dy
                if j != i and d2 < reach:
                    s = reach - d2
                    fx += s * dx
                    fy += s * dy
    force[i, 0] = fx
    force[i, 1] = fy


@device.kernel
def nbody_tile(body, acceleration):
    tile = device.shared_array((LINE, 4), device.float32)
    i, t = device.tid(1), device.thread_idx.x
    x, y, z, ax, ay, az = body[i, 0], body[i, 1], body[i, 2], 0.0, 0.0, 0.0
    for first in range(0, body.shape[0], LINE):
        for k in range(4):
            tile[t, k] = body[first + t, k]
        device.syncthreads()
        for j in range(LINE):
            dx, dy, dz = tile[j, 0] - x, tile[j, 1] - y, tile[j, 2] - z
            d2 = dx * dx + dy * dy + dz * dz + 1e-4
            s = tile[j, 3] / (d2 * math.sqrt(d2))
            ax += s * dx
            ay += s * dy
            az += s * dz
        device.syncthreads()
    acceleration[i, 0], acceleration[i, 1], acceleration[i, 2] = ax, ay, az


@device.kernel
def invert3(m, out):
    i = device.tid(1)
    if i >= m.shape[0]:
        return
    a, b, c = m[i, 0, 0], m[i, 0, 1], m[i, 0, 2]
    d, e, f = m[i, 1, 0], m[i, 1, 1], m[i, 1, 2]
    g, h, k = m[i, 2, 0], m[i, 2, 1], m[i, 2, 2]
    p, q, r = e * k - f * h, f * g - d * k, d * h - e * g
    s = 1.0 / (a * p + b * q + c * r)
    out[i, 0, 0], out[i, 0, 1], out[i, 0, 2] = p * s, (c * h - b * k) * s, (b * f - c * e) * s
    out[i, 1, 0], out[i, 1, 1], out[i, 1, 2] = q * s, (a * k - c * g) * s, (c * d - a * f) * s
    out[i, 2, 0], out[i, 2, 1], out[i, 2, 2] = r * s, (b * g - a * h) * s, (a * e - b * d) * s


@device.kernel
def transform4(m, v, out):
    i = device.tid(1)
    if i >= v.shape[0]:
        return
    for r in range(4):
        total = 0.0
        for c in range(4):
            total += m[r, c] * v[i, c]
        out[i, r] = total


@device.kernel
def cholesky4(m, out):
    i = device.tid(1)
    if i >= m.shape[0]:
        return
    low = device.local_array((4, 4), device.float32)
    for r in range(4):
        for c in range(r + 1):
            total = m[i, r, c]
            for k in range(c):
                total -= low[r, k] * low[c, k]
            low[r, c] = math.sqrt(total) if r == c else total / low[c, c]
            out[i, r, c] = low[r, c]
