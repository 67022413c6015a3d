"""Threads that work together: shared memory and barriers, shared and global atomics."""

import numpy as np

from gallery.case import Case, blocks, case, random, zeros
from hetjit import device

BLOCK, N = 256, 1 << 20


@device.kernel
def scan(x, out):
    cache = device.shared_array(BLOCK, device.float32)
    t, i = device.thread_idx.x, device.tid(1)
    cache[t] = x[i]
    device.syncthreads()
    distance = 1
    while distance < BLOCK:
        value = cache[t]
        if t >= distance:
            value += cache[t - distance]
        device.syncthreads()
        cache[t] = value
        device.syncthreads()
        distance *= 2
    out[i] = cache[t]


@case("compute", "shared memory", "barriers", "float32", "1-d", "memory")
def prefix_sums():
    x = random(N)
    return Case(scan, N // BLOCK, BLOCK, (x, zeros(N)), {1: np.cumsum(x.reshape(-1, BLOCK), axis=1).ravel()}, (N,), 1e-5)


@device.kernel
def bitonic(x, out):
    keys = device.shared_array(BLOCK, device.int32)
    t, i = device.thread_idx.x, device.tid(1)
    keys[t] = x[i]
    device.syncthreads()
    size = 2
    while size <= BLOCK:
        distance = size // 2
        while distance > 0:
            other = t ^ distance
            if other > t:
                a, b = keys[t], keys[other]
                if (a > b) == (t & size == 0):
                    keys[t], keys[other] = b, a
            device.syncthreads()
            distance //= 2
        size *= 2
    out[i] = keys[t]


@case("compute", "shared memory", "barriers", "int32", "1-d", "memory")
def sort_blocks():
    x = random(N // 4, np.int32)
    return Case(bitonic, len(x) // BLOCK, BLOCK, (x, zeros(len(x), np.int32)), {1: np.sort(x.reshape(-1, BLOCK), axis=1).ravel()}, (len(x),))


@device.kernel
def odd_even(x, out):
    keys = device.shared_array(BLOCK, device.float32)
    t, i = device.thread_idx.x, device.tid(1)
    keys[t] = x[i]
    device.syncthreads()
    for k in range(BLOCK):
        if t % 2 == k % 2 and t + 1 < BLOCK and keys[t] > keys[t + 1]:
            keys[t], keys[t + 1] = keys[t + 1], keys[t]
        device.syncthreads()
    out[i] = keys[t]


@case("compute", "shared memory", "barriers", "float32", "1-d", "L2")
def odd_even_sort():
    x = random(1 << 16)
    return Case(odd_even, len(x) // BLOCK, BLOCK, (x, zeros(len(x))), {1: np.sort(x.reshape(-1, BLOCK), axis=1).ravel()}, (len(x),))


@device.kernel
def count_digits(x, shift, counts):
    own = device.shared_array(16, device.int32)
    t = device.thread_idx.x
    if t < 16:
        own[t] = 0
    device.syncthreads()
    for k in range(16):
        digit = int((x[(device.block_idx.x * 16 + k) * BLOCK + t] >> device.uint32(shift)) & 15)
        device.atomic.add(own, digit, 1, scope="block")
    device.syncthreads()
    if t < 16:
        counts[device.block_idx.x, t] = own[t]


@case("memory", "shared memory", "barriers", "uint32", "1-d", "memory")
def radix_counts():
    x = random(4 * N, np.uint32)
    parts = (x.reshape(-1, 16 * BLOCK) >> np.uint32(8)) & np.uint32(15)
    expected = np.stack([(parts == digit).sum(axis=1) for digit in range(16)], axis=1).astype(np.int32)
    return Case(count_digits, len(parts), BLOCK, (x, 8, zeros(expected.shape, np.int32)), {2: expected}, (len(parts),))


HALO = 8


@device.kernel
def convolve(x, weights, out):
    tile = device.shared_array(BLOCK + 2 * HALO, device.float32)
    t, i = device.thread_idx.x, device.tid(1)
    for k in range(t, BLOCK + 2 * HALO, BLOCK):
        at = int(device.block_idx.x * BLOCK + k) - HALO
        tile[k] = x[at] if 0 <= at < x.shape[0] else 0.0
    device.syncthreads()
    total = 0.0
    for k in range(2 * HALO + 1):
        total += weights[k] * tile[t + k]
    if i < out.shape[0]:
        out[i] = total


@case("compute", "shared memory", "barriers", "float32", "1-d", "memory")
def tiled_convolution():
    x, weights = random(2 * N), random(2 * HALO + 1, seed=2)
    expected = np.convolve(x, weights[::-1], "same")
    return Case(convolve, len(x) // BLOCK, BLOCK, (x, weights, zeros(len(x))), {2: expected}, (len(x),), 1e-5)


@device.kernel
def row_maxima(a, out):
    best = device.shared_array(96, device.float32)
    t, row = device.thread_idx.x, device.block_idx.x
    own = a[row, t]
    for k in range(t, a.shape[1], 96):
        if a[row, k] > own:
            own = a[row, k]
    best[t] = own
    device.syncthreads()
    n = 96
    while n > 1:
        half = (n + 1) // 2
        if t < n // 2 and best[t + half] > best[t]:
            best[t] = best[t + half]
        device.syncthreads()
        n = half
    if t == 0:
        out[row] = best[0]


@case("memory", "shared memory", "barriers", "float32", "1-d, odd", "memory")
def maxima():
    a = random((4096, 700))
    return Case(row_maxima, len(a), 96, (a, zeros(len(a))), {1: a.max(axis=1)}, a.shape)


@device.kernel
def count_bins(x, counts):
    i = device.tid(1)
    if i < x.shape[0]:
        device.atomic.add(counts, int(x[i]) >> 4, 1)


@case("memory", "scattered", "straight", "int32", "1-d", "memory")
def bins():
    x = random(N, np.uint16)
    expected = np.bincount(x >> 4, minlength=4096).astype(np.int32)
    return Case(count_bins, blocks(N, BLOCK), BLOCK, (x, zeros(4096, np.int32)), {1: expected}, (N,), restore=True)


@device.kernel
def insert(keys, table, slots):
    i = device.tid(1)
    if i < keys.shape[0]:
        slot = int((device.uint32(keys[i]) * device.uint32(2654435769)) >> device.uint32(32 - slots))
        while True:
            found = device.atomic.cas(table, slot, -1, keys[i])
            if found == -1 or found == keys[i]:
                break
            slot = (slot + 1) & (1 << slots) - 1


@device.kernel
def look_up(keys, table, slots, out):
    i = device.tid(1)
    if i < keys.shape[0]:
        slot = int((device.uint32(keys[i]) * device.uint32(2654435769)) >> device.uint32(32 - slots))
        while table[slot] != keys[i] and table[slot] != -1:
            slot = (slot + 1) & (1 << slots) - 1
        out[i] = table[slot] == keys[i]


SLOTS = 18


def some_keys(share):
    """A table's keys, and as many again, of which that share is in it."""
    keys = np.random.default_rng(5).permutation(1 << 24)[:1 << SLOTS].astype(np.int32)
    half = len(keys) // 2
    return keys[:half], np.concatenate([keys[:int(half * share)], keys[half:half + int(half * (1 - share))]])


def filled(keys):
    """One of the tables that hold the keys: which key comes first is nobody's business."""
    table = np.full(1 << SLOTS, -1, np.int32)
    slots = (keys.astype(np.uint32) * np.uint32(2654435769)) >> np.uint32(32 - SLOTS)
    for slot, key in zip(slots.tolist(), keys.tolist()):
        while table[slot] != -1:
            slot = (slot + 1) % len(table)
        table[slot] = key
    return table


@case("compute", "scattered", "divergent loop", "int32", "1-d", "L2")
def hash_insert():
    keys, _ = some_keys(0.5)
    return Case(insert, blocks(len(keys), BLOCK), BLOCK, (keys, np.full(1 << SLOTS, -1, np.int32), SLOTS),
                {1: np.sort(filled(keys))}, (len(keys),), restore=True)


@case("compute", "gathered", "divergent loop", "int32", "1-d", "L2")
def hash_look_up():
    keys, asked = some_keys(0.5)
    return Case(look_up, blocks(len(asked), BLOCK), BLOCK, (asked, filled(keys), SLOTS, zeros(len(asked), np.uint8)),
                {3: np.isin(asked, keys).astype(np.uint8)}, (len(asked),))


@device.kernel
def hook(a, b, parent):
    """The smaller root becomes the larger one's parent, as long as nobody else was faster."""
    i = device.tid(1)
    if i >= a.shape[0]:
        return
    x, y = a[i], b[i]
    while True:
        while device.atomic.load(parent, x) != x:
            x = device.atomic.load(parent, x)
        while device.atomic.load(parent, y) != y:
            y = device.atomic.load(parent, y)
        if x == y:
            break
        if x < y:
            x, y = y, x
        if device.atomic.cas(parent, x, x, y) == x:
            break


@case("compute", "gathered", "divergent loop", "int32", "1-d", "L2")
def union_find():
    """A forest of short chains: each node and another one nearby."""
    n = 1 << 16
    a = np.arange(n, dtype=np.int32)
    b = a // 8 * 8 + np.random.default_rng(7).integers(0, 8, n).astype(np.int32)
    parent = a.copy()
    for x, y in zip(a.tolist(), b.tolist()):
        while parent[x] != x:
            x = parent[x]
        while parent[y] != y:
            y = parent[y]
        parent[max(x, y)] = min(x, y)
    return Case(hook, blocks(n, BLOCK), BLOCK, (a, b, np.arange(n, dtype=np.int32)), {2: roots(parent)}, (n,), restore=True)


def roots(parent):
    while not np.array_equal(parent, parent[parent]):
        parent = parent[parent]
    return parent


# What a result is compared by, where threads' order may tell: by case.
CANONICAL = {"hash_insert": np.sort, "union_find": roots}
