"""Kernels whose machine code is compared with C++'s (codegen.py) and that are not timed."""

import math

from hetjit import device

BLOCK = 256


@device.kernel
def matmul_naive(a, b, c):
    column, row = device.tid(2)
    if row < c.shape[0] and column < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[row, k] * b[k, column]
        c[row, column] = total


@device.kernel
def sobel(image, edges):
    x, y = device.tid(2)
    if 0 < y < image.shape[0] - 1 and 0 < x < image.shape[1] - 1:
        right = image[y - 1, x + 1] + 2.0 * image[y, x + 1] + image[y + 1, x + 1]
        left = image[y - 1, x - 1] + 2.0 * image[y, x - 1] + image[y + 1, x - 1]
        below = image[y + 1, x - 1] + 2.0 * image[y + 1, x] + image[y + 1, x + 1]
        above = image[y - 1, x - 1] + 2.0 * image[y - 1, x] + image[y - 1, x + 1]
        dx, dy = right - left, below - above
        edges[y, x] = math.sqrt(dx * dx + dy * dy)


@device.kernel
def blur(image, weights, radius, out):
    """Along the rows, the image's edge repeated."""
    x, y = device.tid(2)
    if y >= image.shape[0] or x >= image.shape[1]:
        return
    total = 0.0
    for k in range(2 * radius + 1):
        column = max(min(x + k - radius, image.shape[1] - 1), 0)
        total += weights[k] * image[y, column]
    out[y, x] = total


@device.kernel
def grey(colour, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = device.uint8(0.299 * colour[i, 0] + 0.587 * colour[i, 1] + 0.114 * colour[i, 2])


@device.kernel
def collatz(steps):
    i = device.tid(1)
    if i < steps.shape[0]:
        n = device.int64(i + 1)
        count = 0
        while n != 1:
            if n % 2 == 0:
                n //= 2
            else:
                n = 3 * n + 1
            count += 1
        steps[i] = count


@device.kernel
def horner(coefficients, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        value, sum_ = x[i], device.float64(0.0)
        for k in range(coefficients.shape[0]):
            sum_ = sum_ * value + coefficients[k]
        y[i] = sum_


@device.kernel
def zoom(image, out, step):
    """Bilinear interpolation."""
    j, i = device.tid(2)
    if i >= out.shape[0] or j >= out.shape[1]:
        return
    y, x = i * step, j * step
    top, left = max(int(y), 0), max(int(x), 0)
    dy, dx = y - top, x - left
    bottom, right = max(min(top + 1, image.shape[0] - 1), 0), max(min(left + 1, image.shape[1] - 1), 0)
    above = image[top, left] * (1.0 - dx) + image[top, right] * dx
    below = image[bottom, left] * (1.0 - dx) + image[bottom, right] * dx
    out[i, j] = above * (1.0 - dy) + below * dy


@device.kernel
def heat(now, after, factor):
    """One step of the heat equation in three dimensions."""
    x, y, z = device.tid(3)
    if 0 < z < now.shape[0] - 1 and 0 < y < now.shape[1] - 1 and 0 < x < now.shape[2] - 1:
        here = now[z, y, x]
        around = now[z - 1, y, x] + now[z + 1, y, x] + now[z, y - 1, x] + now[z, y + 1, x] + now[z, y, x - 1] + now[z, y, x + 1]
        after[z, y, x] = here + factor * (around - 6.0 * here)


@device.kernel
def rotate(points, out, angle):
    """Sine and cosine of a large range of angles."""
    i = device.tid(1)
    if i < points.shape[0]:
        turn = angle * i
        c, s = math.cos(turn), math.sin(turn)
        out[i, 0] = c * points[i, 0] - s * points[i, 1]
        out[i, 1] = s * points[i, 0] + c * points[i, 1]


@device.kernel
def scan(x, out):
    """Inclusive sums within each block, by doubling distances."""
    cache = device.shared_array(BLOCK, device.float32)
    thread = device.thread_idx.x
    i = device.tid(1)
    cache[thread] = x[i] if i < x.shape[0] else 0.0
    device.syncthreads()
    distance = 1
    while distance < BLOCK:
        earlier = cache[thread - distance] if thread >= distance else 0.0
        device.syncthreads()
        cache[thread] += earlier
        device.syncthreads()
        distance *= 2
    if i < x.shape[0]:
        out[i] = cache[thread]
