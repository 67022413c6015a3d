"""Kernels whose machine code is compared with C++'s (codegen/fresh.cu): solvers, layers of networks, lattices, texts, ciphers, sorting by
digits, colours, clusters, transforms."""

import math

from hetjit import device

ROW, DIGITS = 256, 16


@device.kernel
def thomas(a, b, c, d, scratch):
    s, n = device.tid(1), d.shape[0]
    if s >= d.shape[1]:
        return
    ratio, value = c[0, s] / b[0, s], d[0, s] / b[0, s]
    scratch[0, s] = ratio
    d[0, s] = value
    for i in range(1, n):
        m = 1.0 / (b[i, s] - a[i, s] * ratio)
        ratio = c[i, s] * m
        value = (d[i, s] - a[i, s] * value) * m
        scratch[i, s] = ratio
        d[i, s] = value
    for i in range(n - 2, -1, -1):
        value = d[i, s] - scratch[i, s] * value
        d[i, s] = value


@device.kernel
def conv_padded(image, weight, out):
    x, y = device.tid(2)
    layers, h, w = image.shape
    if x >= w or y >= h:
        return
    total = 0.0
    for c in range(layers):
        for ky in range(weight.shape[1]):
            for kx in range(weight.shape[2]):
                yy, xx = y + ky - weight.shape[1] // 2, x + kx - weight.shape[2] // 2
                if 0 <= yy < h and 0 <= xx < w:
                    total += image[c, yy, xx] * weight[c, ky, kx]
    out[y, x] = total


@device.kernel
def max_pool(image, out, size, stride):
    x, y, c = device.tid(3)
    if x >= out.shape[2] or y >= out.shape[1] or c >= out.shape[0]:
        return
    y0, x0 = y * stride, x * stride
    y1, x1 = min(y0 + size, image.shape[1]), min(x0 + size, image.shape[2])
    best = image[c, y0, x0]
    for yy in range(y0, y1):
        for xx in range(x0, x1):
            v = image[c, yy, xx]
            if v > best:
                best = v
    out[c, y, x] = best


@device.kernel
def softmax_rows(x, out):
    cache = device.shared_array(ROW, device.float32)
    row, t, n = device.block_idx.x, device.thread_idx.x, x.shape[1]
    top = -1e30
    for j in range(t, n, device.block_dim.x):
        top = x[row, j] if x[row, j] > top else top
    cache[t] = top
    device.syncthreads()
    d = ROW // 2
    while d > 0:
        if t < d and cache[t + d] > cache[t]:
            cache[t] = cache[t + d]
        device.syncthreads()
        d //= 2
    top = cache[0]
    device.syncthreads()
    total = 0.0
    for j in range(t, n, device.block_dim.x):
        e = math.exp(x[row, j] - top)
        out[row, j] = e
        total += e
    cache[t] = total
    device.syncthreads()
    d = ROW // 2
    while d > 0:
        if t < d:
            cache[t] += cache[t + d]
        device.syncthreads()
        d //= 2
    total = 1.0 / cache[0]
    for j in range(t, n, device.block_dim.x):
        out[row, j] *= total


@device.kernel
def lattice_stream(f, g):
    x, y = device.tid(2)
    _, h, w = f.shape
    if x >= w or y >= h:
        return
    west, east = x - 1 if x > 0 else w - 1, x + 1 if x < w - 1 else 0
    north, south = y - 1 if y > 0 else h - 1, y + 1 if y < h - 1 else 0
    g[0, y, x] = f[0, y, x]
    g[1, y, east] = f[1, y, x]
    g[2, south, x] = f[2, y, x]
    g[3, y, west] = f[3, y, x]
    g[4, north, x] = f[4, y, x]
    g[5, south, east] = f[5, y, x]
    g[6, south, west] = f[6, y, x]
    g[7, north, west] = f[7, y, x]
    g[8, north, east] = f[8, y, x]


@device.kernel
def ising(spin, chance, colour, seed):
    x, y = device.tid(2)
    h, w = spin.shape
    if x >= w or y >= h or (x + y) % 2 != colour:
        return
    around = spin[y, (x + 1) % w] + spin[y, (x + w - 1) % w] + spin[(y + 1) % h, x] + spin[(y + h - 1) % h, x]
    gain = spin[y, x] * around
    r = seed ^ device.uint32(y * w + x) * 2654435761
    r ^= r >> 15
    r *= 0x2C1B3C6D
    r ^= r >> 12
    u = (r >> 8) * (1.0 / 16777216.0)
    if gain <= 0 or u < chance[gain]:
        spin[y, x] = -spin[y, x]


@device.kernel
def find_text(text, word, found):
    i = device.tid(1)
    if i > text.shape[0] - word.shape[0]:
        return
    k = 0
    while k < word.shape[0] and text[i + k] == word[k]:
        k += 1
    if k == word.shape[0]:
        found[i] = 1


@device.func
def turn(v, n):
    return v << n | v >> (32 - n)


@device.kernel
def chacha(key, out, nonce):
    i = device.tid(1)
    if 16 * i + 15 >= out.shape[0]:
        return
    s, first = device.local_array(16, device.uint32), device.local_array(16, device.uint32)
    for k in range(8):
        s[4 + k] = key[k]
    s[0] = 0x61707865
    s[1] = 0x3320646E
    s[2] = 0x79622D32
    s[3] = 0x6B206574
    s[12] = i
    s[13] = 0
    s[14] = nonce
    s[15] = 0
    for k in range(16):
        first[k] = s[k]
    for _ in range(10):
        for q in range(8):
            a, b, c, d = q % 4, 4 + (q + q // 4) % 4, 8 + (q + 2 * (q // 4)) % 4, 12 + (q + 3 * (q // 4)) % 4
            s[a] += s[b]
            s[d] = turn(s[d] ^ s[a], 16)
            s[c] += s[d]
            s[b] = turn(s[b] ^ s[c], 12)
            s[a] += s[b]
            s[d] = turn(s[d] ^ s[a], 8)
            s[c] += s[d]
            s[b] = turn(s[b] ^ s[c], 7)
    for k in range(16):
        out[16 * i + k] = s[k] + first[k]


@device.kernel
def digit_counts(key, counts, shift):
    own = device.shared_array(DIGITS, device.int32)
    t = device.thread_idx.x
    if t < DIGITS:
        own[t] = 0
    device.syncthreads()
    for i in range(device.tid(1), key.shape[0], device.grid_size(1)):
        device.atomic.add(own, key[i] >> shift & DIGITS - 1, 1, memory="relaxed", scope="block")
    device.syncthreads()
    if t < DIGITS:
        counts[t, device.block_idx.x] = own[t]


@device.func
def byte(v):
    return 0 if v < 0 else 255 if v > 255 else v


@device.kernel
def yuv_to_rgb(luma, chroma, rgb):
    x, y = device.tid(2)
    if x >= luma.shape[1] or y >= luma.shape[0]:
        return
    c, d, e = 298 * (int(luma[y, x]) - 16), int(chroma[y // 2, x // 2 * 2]) - 128, int(chroma[y // 2, x // 2 * 2 + 1]) - 128
    rgb[y, x, 0] = byte((c + 409 * e + 128) >> 8)
    rgb[y, x, 1] = byte((c - 100 * d - 208 * e + 128) >> 8)
    rgb[y, x, 2] = byte((c + 516 * d + 128) >> 8)


@device.kernel
def assign_clusters(point, centre, label, members):
    i = device.tid(1)
    if i >= point.shape[0]:
        return
    best, least = 0, 1e30
    for c in range(centre.shape[0]):
        d = 0.0
        for k in range(point.shape[1]):
            gap = point[i, k] - centre[c, k]
            d += gap * gap
        if d < least:
            least, best = d, c
    label[i] = best
    device.atomic.add(members, best, 1)


@device.kernel
def butterflies(source, out, half):
    i, n = device.tid(1), source.shape[0]
    if i >= n // 2:
        return
    k, to = i % half, i // half * 2 * half + i % half
    angle = -3.14159265 * k / half
    c, s = math.cos(angle), math.sin(angle)
    re, im, x, y = source[i, 0], source[i, 1], source[i + n // 2, 0], source[i + n // 2, 1]
    p, q = x * c - y * s, x * s + y * c
    out[to, 0] = re + p
    out[to, 1] = im + q
    out[to + half, 0] = re - p
    out[to + half, 1] = im - q
