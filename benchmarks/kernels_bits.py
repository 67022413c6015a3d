"""Kernels whose machine code is compared with C++'s (codegen/bits.cu): grid-stride loops, scans, sorting networks, bit tricks, random walks."""

import math

from hetjit import device

SORT, SCAN = 512, 256


@device.kernel
def axpy_stride(a, x, y):
    for i in range(device.tid(1), x.shape[0], device.grid_size(1)):
        y[i] = a * x[i] + y[i]


@device.kernel
def dot_stride(x, y, partial):
    cache = device.shared_array(SCAN, device.float32)
    t, total = device.thread_idx.x, 0.0
    for i in range(device.tid(1), x.shape[0], device.grid_size(1)):
        total += x[i] * y[i]
    cache[t] = total
    device.syncthreads()
    half = SCAN // 2
    while half > 0:
        if t < half:
            cache[t] += cache[t + half]
        device.syncthreads()
        half //= 2
    if t == 0:
        partial[device.block_idx.x] = cache[0]


@device.kernel
def sieve(composite, primes):
    k = device.tid(1)
    if k >= primes.shape[0]:
        return
    p = primes[k]
    for m in range(p * p, composite.shape[0], p):
        composite[m] = 1


@device.kernel
def warp_scan(x, out):
    i, in_warp = device.tid(1), device.lane_id
    value = x[i] if i < x.shape[0] else device.int32(0)
    d = 1
    while d < device.warp_size:
        below = device.shfl_up_sync(device.FULL_MASK, value, d)
        if in_warp >= d:
            value += below
        d *= 2
    if i < x.shape[0]:
        out[i] = value


@device.kernel
def sweep_scan(x):
    cache = device.shared_array(2 * SCAN, device.int32)
    t, first, offset = device.thread_idx.x, device.block_idx.x * 2 * SCAN, 1
    cache[2 * t] = x[first + 2 * t]
    cache[2 * t + 1] = x[first + 2 * t + 1]
    d = SCAN
    while d > 0:
        device.syncthreads()
        if t < d:
            cache[offset * (2 * t + 2) - 1] += cache[offset * (2 * t + 1) - 1]
        offset *= 2
        d //= 2
    if t == 0:
        cache[2 * SCAN - 1] = 0
    d = 1
    while d < 2 * SCAN:
        offset //= 2
        device.syncthreads()
        if t < d:
            a, b = offset * (2 * t + 1) - 1, offset * (2 * t + 2) - 1
            v = cache[a]
            cache[a] = cache[b]
            cache[b] += v
        d *= 2
    device.syncthreads()
    x[first + 2 * t] = cache[2 * t]
    x[first + 2 * t + 1] = cache[2 * t + 1]


@device.kernel
def bitonic_sort(x):
    cache = device.shared_array(SORT, device.int32)
    t = device.thread_idx.x
    i = device.block_idx.x * SORT + t
    cache[t] = x[i]
    device.syncthreads()
    size = 2
    while size <= SORT:
        stride = size // 2
        while stride > 0:
            other = t ^ stride
            if other > t:
                a, b = cache[t], cache[other]
                if a > b if t & size == 0 else a < b:
                    cache[t], cache[other] = b, a
            device.syncthreads()
            stride //= 2
        size *= 2
    x[i] = cache[t]


@device.kernel
def odd_even_sort(x):
    cache = device.shared_array(2 * SCAN, device.float32)
    t = device.thread_idx.x
    cache[2 * t], cache[2 * t + 1] = x[2 * t], x[2 * t + 1]
    device.syncthreads()
    for turn in range(2 * SCAN):
        k = 2 * t + turn % 2
        if k + 1 < 2 * SCAN and cache[k] > cache[k + 1]:
            cache[k], cache[k + 1] = cache[k + 1], cache[k]
        device.syncthreads()
    x[2 * t], x[2 * t + 1] = cache[2 * t], cache[2 * t + 1]


@device.kernel
def count_bits(x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    v, count = x[i], 0
    while v != 0:
        v &= v - 1
        count += 1
    out[i] = count


@device.kernel
def highest_bit(x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    v, bits = x[i], 0
    while v != 0:
        v >>= 1
        bits += 1
    out[i] = bits


@device.func
def spread(v):
    v = (v | v << 8) & 0x00FF00FF
    v = (v | v << 4) & 0x0F0F0F0F
    v = (v | v << 2) & 0x33333333
    return (v | v << 1) & 0x55555555


@device.kernel
def morton(p, code):
    i = device.tid(1)
    if i < p.shape[0]:
        code[i] = spread(p[i, 0]) | spread(p[i, 1]) << 1


@device.kernel
def crc32(rows, table, out):
    i = device.tid(1)
    if i >= rows.shape[0]:
        return
    crc = device.uint32(0xFFFFFFFF)
    for k in range(rows.shape[1]):
        crc = table[(crc ^ rows[i, k]) & 255] ^ crc >> 8
    out[i] = ~crc


@device.kernel
def life(now, after):
    x, y = device.tid(2)
    h, w = now.shape
    if x >= w or y >= h:
        return
    alive = 0
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            if dx != 0 or dy != 0:
                alive += int(now[(y + dy + h) % h, (x + dx + w) % w])
    after[y, x] = alive == 3 or (alive == 2 and now[y, x] == 1)


@device.kernel
def count_inside(hits, rounds, seed):
    i = device.tid(1)
    if i >= hits.shape[0]:
        return
    state, inside = seed + device.uint32(i), 0
    for _ in range(rounds):
        state = state * 1664525 + 1013904223
        x = (state >> 8) * (1.0 / 16777216.0)
        state = state * 1664525 + 1013904223
        y = (state >> 8) * (1.0 / 16777216.0)
        if x * x + y * y < 1.0:
            inside += 1
    hits[i] = inside


@device.kernel
def walk(visits, steps, seed):
    i = device.tid(1)
    h, w = visits.shape
    x, y = w // 2, h // 2
    state = seed + device.uint32(0x9E3779B9) * device.uint32(i + 1)
    for _ in range(steps):
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        turn = state & 3
        if turn == 0:
            x = x + 1 if x + 1 < w else 0
        if turn == 1:
            x = x - 1 if x > 0 else w - 1
        if turn == 2:
            y = y + 1 if y + 1 < h else 0
        if turn == 3:
            y = y - 1 if y > 0 else h - 1
        device.atomic.add(visits, (y, x), 1)


@device.kernel
def waves(t, out):
    i = device.tid(1)
    if i < t.shape[0]:
        x = t[i]
        out[i] = math.sin(x) * math.sin(x) + 0.5 * math.sin(x)


@device.kernel
def powers(x, out):
    i = device.tid(1)
    if i < x.shape[0]:
        out[i] = x[i] ** 3 - 2.0 * x[i] ** 2 + x[i] ** -2


@device.kernel
def deal(x, out, width):
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        row, column = i // width, i % width
        out[column * (n // width) + row] = x[i]
