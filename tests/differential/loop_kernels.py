"""Kernels of arrays x, y and a number n. EVEN: loops whose turns all threads take, whatever each does in one. SHARED: loops whose turns
threads share out. BOUNDED: those that ask in each turn whether a place lies within bounds. ROWS: threads in one row that stand for several."""

from hetjit import device


def without_else(x, y, n):
    i = device.tid(1)
    if i < n:
        v, best = x[i] * 20, device.float32(100)
        for k in range(n):
            if v - k >= 0.0:
                best = min(v - k, best)
        y[i] = best


def nested(x, y, n):
    i = device.tid(1)
    if i < n:
        v, count = x[i] * 20, 0
        for k in range(n):
            if v > k:
                if x[k] < x[i]:
                    count += 1
        y[i] = count


def both(x, y, n):
    i = device.tid(1)
    if i < n:
        v, best = x[i] * 20, device.float32(100)
        for k in range(n):
            if v - k >= 0.0 and v - k < best:
                best = v - k
        y[i] = best


def chained(x, y, n):
    i = device.tid(1)
    if i < n:
        total = device.float32(0)
        for a in range(-2, 3):
            for b in range(-1, 2):
                if 0 <= i + a < n and 0 <= i + b < n:
                    total += x[i + a] * x[i + b]
        y[i] = total


def goes_on(x, y, n):
    i = device.tid(1)
    if i < n:
        v, total = x[i] * 20, device.float32(0)
        for k in range(n):
            if v < k:
                continue
            total += x[k]
            if total > 3.0:
                continue
            total += v
        y[i] = total


def counts_by_hand(x, y, n):
    i = device.tid(1)
    if i < n:
        v, k, total = x[i] * 20, 0, device.float32(0)
        while k < n:
            if v < k:
                k += 1
                continue
            total += x[k]
            k += 1
            if total > 3.0:
                total -= 1.0
        y[i] = total


def several_ways(x, y, n):
    i = device.tid(1)
    if i < n:
        v, total = x[i] * 20, 0
        for k in range(n):
            if v < k:
                total += 1
            elif v < 2 * k:
                total += 3
            elif x[k] > 0.5:
                total -= 2
        y[i] = total


def in_two_loops(x, y, n):
    i = device.tid(1)
    if i < n:
        v, total = x[i] * 20, 0
        for k in range(3):
            for j in range(k, n):
                if v < j:
                    continue
                total += 1
            if v > k:
                total += k
        y[i] = total


def with_barriers(x, y, n):
    tile = device.shared_array(1024, device.float32)
    t, i = device.thread_idx.x, device.tid(1)
    v, best = x[min(i, n - 1)] * 20, device.float32(100)
    for k in range(3):
        tile[t] = v + k
        device.syncthreads()
        other = tile[device.block_dim.x - 1 - t]
        device.syncthreads()
        if other >= 3.0:
            if other < best and k != 1:
                best = other
    if i < n:
        y[i] = best


def found(x, y, n):
    """The inner loop is left apart, and begins together in each turn of the outer one."""
    i = device.tid(1)
    if i < n:
        total = 0
        for k in range(3):
            for j in range(n):
                if x[i] * 20 < j + k:
                    total += j
                    break
        y[i] = total


EVEN = [without_else, nested, both, chained, goes_on, counts_by_hand, several_ways, in_two_loops]


def sums_round(x, y, n):
    i = device.tid(1)
    if i < n:
        total = device.float32(0)
        for k in range(-9, 10):
            if 0 <= i + k < x.shape[0] and k != 1:
                total += x[i + k]
        y[i] = total


def sums_before(x, y, n):
    i = device.tid(1)
    if i >= n:
        return
    total = device.float32(0)
    for k in range(n):
        j = i - k
        if j < 0:
            continue
        total = total * 0.5 + x[j]
    y[i] = total


def sums_up_to(x, y, n):
    i = device.tid(1)
    if i < n:
        total, k = device.float32(0), 0
        while k < 9:
            if n <= i + k:
                total -= 1.0
            else:
                total += x[i + k]
            k += 1
        y[i] = total


def sums_every_second(x, y, n):
    i = device.tid(1)
    if i < n:
        total = 0
        for k in range(n):
            if 2 * i + k < n:
                total += k
            if n - 1 - 3 * i - k >= 1:
                total += 100
        y[i] = total


def begins_anew(x, y, n):
    """Between the first lane and the last the number passes the end of its type."""
    i = device.tid(1)
    if i < n:
        total = 0
        for k in range(12):
            if device.int32(i) + device.int32(2147483600 + 5 * k) > 1:
                total += 1
            if device.uint32(i) - device.uint32(8 * k) < 1000000:
                total += 16
            if device.uint64(device.int32(i) - device.int32(3 * k)) >= device.uint64(1):
                total += 4096
            if device.int32(i) - k > -1 and device.int16(i) - device.int16(k) >= 0:
                total += 65536
            if device.int32(i) + device.int32(2147483600 + 5 * k) < 2147483647:
                total += 256
        y[i] = total


def ends_between(x, y, n):
    """Bounds that few threads are within, and some that are asked beside others."""
    i = device.tid(1)
    if i < n:
        total = device.float32(0)
        for k in range(5):
            if i + k >= 17:
                if i + k < 23:
                    total += x[i]
                    continue
            if k <= i:
                total += k
        y[i] = total


BOUNDED = [sums_round, sums_before, sums_every_second, begins_anew]


def on_a_ring(x, y, n):
    i = device.tid(1)
    if i < n:
        y[i] = x[(i + 5) % n] - x[(i + n - 1) % n] + x[(3 * i) % n]


def of_a_pattern(x, y, n):
    i = device.tid(1)
    if i < n:
        y[i] = x[i % (n // 2 + 1)] + x[(device.uint32(i) + device.uint32(7)) % device.uint32(n)]


def over_grid(x, y, n):
    for i in range(device.tid(1), n, device.grid_size(1)):
        y[i] = x[i] * 2 + 1


def over_block(x, y, n):
    total = device.float32(0)
    for i in range(device.thread_idx.x, n, device.block_dim.x):
        total += x[i]
        if x[i] > 0.5:
            total *= 2.0
    if device.tid(1) < n:
        y[device.tid(1)] = total


def by_hand(x, y, n):
    i = device.tid(1)
    while i < n:
        y[i] = x[i] * 2 + 1
        i += device.grid_size(1)


def by_hand_up_to_the_shape(x, y, n):
    i = device.tid(1)
    total = device.float32(0)
    while i < x.shape[0]:
        total += x[i]
        i += device.grid_size(1)
    if device.tid(1) < n:
        y[device.tid(1)] = total


def by_hand_with_less(x, y, n):
    i = device.tid(1)
    step = device.grid_size(1)
    while i < n:
        if x[i] < 0.5:
            i += step
            continue
        y[i] = x[i] * 2 + 1
        i += step


def several_each(x, y, n):
    for i in range(device.tid(1), n, device.grid_size(1)):
        total = device.float32(0)
        for k in range(i % 5):
            total += x[(i + k) % n]
        y[i] = total
        for k in range(3):
            if x[i] > k * 0.3:
                y[i] += x[k % n]


def from_the_end(x, y, n):
    for i in range(n - 1 - device.tid(1), -1, -device.grid_size(1)):
        y[i] = x[i] * 2 + 1


def by_unsigned_hand(x, y, n):
    i = device.tid(1)
    step = device.block_dim.x * device.grid_dim.x
    while i < n:
        y[i] = x[i] * 2 + 1
        i += step


DEALT_OUT = [over_grid]  # of SHARED: whose turns any thread may have
SHARED = [over_grid, over_block, by_hand, by_hand_up_to_the_shape, by_hand_with_less, several_each, from_the_end]


def by_division(x, y, n):
    row, lane = device.thread_idx.x // 32, device.thread_idx.x % 32
    for k in range(lane, n, 32):
        if k // 32 % 4 == row and device.block_idx.x == 0:
            y[k] = x[k] * 2 + row


def by_shifts(x, y, n):
    i = device.tid(1)
    row, lane = i >> 5, i & 31
    if row * 32 + lane < n:
        y[row * 32 + lane] = x[row * 32 + lane] * 2 + x[row]


def by_masks(x, y, n):
    t = device.int32(device.thread_idx.x)
    first = t & ~15
    place = device.int32(device.block_idx.x * device.block_dim.x) + first + (t & 15)
    if place < n:
        y[place] = x[place] + first


def by_division_together(x, y, n):
    row, lane = device.tid(1) // 32, device.tid(1) % 32
    total = device.float32(0)
    for k in range(lane, n, 32):
        total += x[k] * (row + 1)
    total += device.shfl_xor_sync(device.FULL_MASK, total, 3)
    if row * 32 + lane < n:
        y[row * 32 + lane] = total


def by_shifts_with_barrier(x, y, n):
    tile = device.shared_array(128, device.float32)
    t, i = device.thread_idx.x, device.tid(1)
    row, lane = i >> 4, i & 15
    tile[t] = x[i] if i < n else 0.0
    device.syncthreads()
    if row * 16 + lane < n:
        y[row * 16 + lane] = tile[t] * 2 + x[row]


def of_four(x, y, n):
    """Fewer than a vector's lanes."""
    i = device.tid(1)
    if i < n:
        y[i] = x[i // 4] + x[i % 4 % n] + (i >> 3) + (i & 7)


ROWS = [by_division, by_shifts, by_masks, by_division_together, by_shifts_with_barrier, of_four]
OF_WHOLE_WARPS = ROWS[:-1]
