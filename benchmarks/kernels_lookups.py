"""Kernels whose machine code is compared with C++'s (codegen/lookups.cu): sparse products, trees, hash tables, dynamic programming."""

from hetjit import device

LEAF, DEPTH, ROW, EMPTY = -1, 32, 256, 0xFFFFFFFF


@device.kernel
def spmv_csr(start, column, value, x, y):
    row = device.tid(1)
    if row >= y.shape[0]:
        return
    total = 0.0
    for k in range(start[row], start[row + 1]):
        total += value[k] * x[column[k]]
    y[row] = total


@device.kernel
def spmv_unsigned(start, column, value, x, y):
    row = device.tid(1)
    if row >= y.shape[0]:
        return
    total = 0.0
    for k in range(start[row], start[row + 1]):
        total += value[k] * x[column[k]]
    y[row] = total


@device.kernel
def spmv_ell(column, value, x, y):
    row = device.tid(1)
    if row >= column.shape[1]:
        return
    total = 0.0
    for k in range(column.shape[0]):
        c = column[k, row]
        if c >= 0:
            total += value[k, row] * x[c]
    y[row] = total


@device.kernel
def gather(x, index, out):
    i = device.tid(1)
    if i < index.shape[0]:
        out[i] = x[index[i]]


@device.kernel
def lower_bound(ordered, wanted, out):
    i = device.tid(1)
    if i >= wanted.shape[0]:
        return
    want, low, high = wanted[i], 0, ordered.shape[0]
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] < want:
            low = middle + 1
        else:
            high = middle
    out[i] = low


@device.kernel
def heap_search(heap, wanted, out):
    i = device.tid(1)
    if i >= wanted.shape[0]:
        return
    want, node = wanted[i], 0
    while node < heap.shape[0]:
        node = 2 * node + (2 if heap[node] < want else 1)
    out[i] = node - heap.shape[0]


@device.kernel
def tree_walk(left, right, low, high, points, hits):
    i = device.tid(1)
    if i >= points.shape[0]:
        return
    p, found = points[i], 0
    stack = device.local_array(DEPTH, device.int32)
    stack[0] = 0
    depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if p < low[node] or p > high[node]:
            continue
        if left[node] == LEAF:
            found += 1
        else:
            stack[depth] = left[node]
            stack[depth + 1] = right[node]
            depth += 2
    hits[i] = found


@device.kernel
def decision_tree(feature, threshold, child, x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    node = 0
    while feature[node] >= 0:
        node = child[node] + (1 if x[i, feature[node]] > threshold[node] else 0)
    out[i] = node


@device.func
def mix(key):
    key ^= key >> 16
    key *= device.uint32(0x85EBCA6B)
    key ^= key >> 13
    key *= device.uint32(0xC2B2AE35)
    return key ^ key >> 16


@device.kernel
def hash_insert(keys, values, key, value):
    i = device.tid(1)
    if i >= key.shape[0]:
        return
    mask, k = device.uint32(keys.shape[0] - 1), key[i]
    slot = mix(k) & mask
    while True:
        before = device.atomic.cas(keys, slot, device.uint32(EMPTY), k)
        if before == EMPTY or before == k:
            values[slot] = value[i]
            return
        slot = slot + 1 & mask


@device.kernel
def hash_find(keys, values, key, out):
    i = device.tid(1)
    if i >= key.shape[0]:
        return
    mask, k = device.uint32(keys.shape[0] - 1), key[i]
    slot = mix(k) & mask
    while keys[slot] != EMPTY and keys[slot] != k:
        slot = slot + 1 & mask
    out[i] = values[slot] if keys[slot] == k else device.uint32(EMPTY)


@device.kernel
def floyd_warshall(d, k):
    j, i = device.tid(2)
    if i < d.shape[0] and j < d.shape[1]:
        through = d[i, k] + d[k, j]
        if through < d[i, j]:
            d[i, j] = through


@device.kernel
def knapsack(before, after, weight, value):
    w = device.tid(1)
    if w >= before.shape[0]:
        return
    best = before[w]
    if w >= weight:
        best = max(best, before[w - weight] + value)
    after[w] = best


@device.kernel
def edit_distance(a, b, out):
    rows = device.shared_array((3, ROW + 1), device.int32)
    j, n, m = device.int32(device.thread_idx.x), a.shape[0], b.shape[0]
    for d in range(n + m + 1):
        i = d - j
        if j <= m and 0 <= i <= n:
            if i == 0:
                cost = device.int32(j)
            elif j == 0:
                cost = device.int32(i)
            else:
                cost = min(min(rows[(d + 2) % 3, j], rows[(d + 2) % 3, j - 1]) + 1,
                           rows[(d + 1) % 3, j - 1] + (0 if a[i - 1] == b[j - 1] else 1))
            rows[d % 3, j] = cost
            if i == n and j == m:
                out[0] = cost
        device.syncthreads()


@device.kernel
def viterbi(emit, move, score, origin, t):
    s = device.tid(1)
    if s >= move.shape[0]:
        return
    best, which = score[t - 1, 0] + move[0, s], 0
    for r in range(1, move.shape[0]):
        after = score[t - 1, r] + move[r, s]
        if after > best:
            best, which = after, r
    score[t, s] = best + emit[t, s]
    origin[t, s] = which


@device.kernel
def back_substitute(u, b, x):
    column = device.tid(1)
    if column >= b.shape[1]:
        return
    n = u.shape[0]
    for i in range(n - 1, -1, -1):
        total = b[i, column]
        for j in range(i + 1, n):
            total -= u[i, j] * x[j, column]
        x[i, column] = total / u[i, i]
