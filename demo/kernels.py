"""The kernels of the demo: ordinary Python functions, compiled from their bytecode."""

import math

from hetjit import device


@device.kernel(contract=False)  # rounds like NumPy, operation by operation, so that counts agree exactly
def mandelbrot(counts: device.Array, left: float, top: float, step: float, limit: int) -> None:
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


@device.func
def clamp(i: int, n: int) -> int:
    return min(max(i, 0), n - 1)


@device.func
def gradient(z: device.Array, i: int, j: int, dx: float, dy: float) -> tuple[device.float32, device.float32]:
    """Horn's third-order finite difference over the 3 x 3 neighbourhood, edges repeated."""
    up, down = clamp(i - 1, z.shape[0]), clamp(i + 1, z.shape[0])
    left, right = clamp(j - 1, z.shape[1]), clamp(j + 1, z.shape[1])
    east = (z[up, right] + 2.0 * z[i, right] + z[down, right]) - (z[up, left] + 2.0 * z[i, left] + z[down, left])
    south = (z[down, left] + 2.0 * z[down, j] + z[down, right]) - (z[up, left] + 2.0 * z[up, j] + z[up, right])
    return east / (8.0 * dx), south / (8.0 * dy)


@device.kernel
def terrain(z: device.Array, dx: float, dy: float, azimuth: float, altitude: float, slope: device.Array, aspect: device.Array,
            shade: device.Array) -> None:
    j, i = device.tid(2)
    if i >= z.shape[0] or j >= z.shape[1]:
        return
    gx, gy = gradient(z, i, j, dx, dy)
    steepness = math.atan(math.sqrt(gx * gx + gy * gy))
    direction = math.atan2(gy, -gx)
    slope[i, j] = math.degrees(steepness)
    aspect[i, j] = math.degrees(direction) if direction >= 0.0 else math.degrees(direction) + 360.0
    lit = (math.sin(altitude) * math.cos(steepness)
           + math.cos(altitude) * math.sin(steepness) * math.cos(azimuth - direction))
    shade[i, j] = max(lit, 0.0)


@device.func
def weighted(image: device.Array, weights: device.Array, i: int, j: int, channel: int, di: int, dj: int) -> device.float32:
    """Sum of the weights times the elements on a line through (i, j) in direction (di, dj), edges repeated."""
    radius = len(weights) // 2
    total = 0.0
    for k in range(-radius, radius + 1):
        row, column = clamp(i + k * di, image.shape[0]), clamp(j + k * dj, image.shape[1])
        total += weights[k + radius] * image[row, column, channel]
    return total


@device.kernel
def blur_rows(photo: device.Array, weights: device.Array, middle: device.Array) -> None:
    j, i = device.tid(2)
    if i < photo.shape[0] and j < photo.shape[1]:
        for channel in range(photo.shape[2]):
            middle[i, j, channel] = weighted(photo, weights, i, j, channel, 0, 1)


@device.kernel
def blur(middle: device.Array, weights: device.Array, out: device.Array) -> None:
    j, i = device.tid(2)
    if i < middle.shape[0] and j < middle.shape[1]:
        for channel in range(middle.shape[2]):
            out[i, j, channel] = device.uint8(weighted(middle, weights, i, j, channel, 1, 0) + 0.5)


@device.func
def luminance(photo: device.Array, i: int, j: int) -> device.float32:
    return 0.299 * photo[i, j, 0] + 0.587 * photo[i, j, 1] + 0.114 * photo[i, j, 2]


@device.kernel
def edges(photo: device.Array, out: device.Array) -> None:
    """Sobel's gradient magnitude of the luminance; the border is black."""
    j, i = device.tid(2)
    if i >= photo.shape[0] or j >= photo.shape[1]:
        return
    if not (0 < i < photo.shape[0] - 1 and 0 < j < photo.shape[1] - 1):
        out[i, j] = 0
        return
    gx = gy = 0.0
    for d in range(-1, 2):
        weight = 2.0 if d == 0 else 1.0
        gx += weight * (luminance(photo, i + d, j + 1) - luminance(photo, i + d, j - 1))
        gy += weight * (luminance(photo, i + 1, j + d) - luminance(photo, i - 1, j + d))
    out[i, j] = device.uint8(min(math.sqrt(gx * gx + gy * gy), 255.0))


@device.func
def pull(positions: device.Array, i: int, j: int, softening: float) -> tuple[device.float32, device.float32, device.float32]:
    dx = positions[j, 0] - positions[i, 0]
    dy = positions[j, 1] - positions[i, 1]
    dz = positions[j, 2] - positions[i, 2]
    r2 = dx * dx + dy * dy + dz * dz + softening
    s = 1.0 / (r2 * math.sqrt(r2))
    return dx * s, dy * s, dz * s


@device.kernel
def kick(positions: device.Array, velocities: device.Array, masses: device.Array, dt: float, softening: float) -> None:
    """Adds every body's acceleration by all others, times dt, to its velocity."""
    i = device.tid(1)
    if i >= positions.shape[0]:
        return
    ax = ay = az = 0.0
    for j in range(positions.shape[0]):
        x, y, z = pull(positions, i, j, softening)
        m = masses[j]
        ax, ay, az = ax + m * x, ay + m * y, az + m * z
    velocities[i, 0] += dt * ax
    velocities[i, 1] += dt * ay
    velocities[i, 2] += dt * az


@device.kernel
def drift(positions: device.Array, velocities: device.Array, dt: float) -> None:
    i = device.tid(1)
    if i < positions.shape[0]:
        for axis in range(3):
            positions[i, axis] += dt * velocities[i, axis]
