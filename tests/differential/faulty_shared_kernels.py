"""Kernels whose threads share a block's memory with one planted fault each, in lines that end in `# fault`: of a race, both of them."""

import numpy as np

from faulty_kernels import bounds
from hetjit import device

N = 64


def races(says, *arguments, block=N, **where):
    return bounds(says, *arguments, error=device.RaceError, check="race", block=block, both=True, **where)


def reads(says, *arguments, block=N, **where):
    return bounds(f"{says} is read before anything was written there", *arguments, error=device.CheckError, check="init", block=block, **where)


def parts(*arguments, block=N, **where):
    return bounds("threads of a block wait for each other at different places", *arguments, error=device.BarrierError,
                  check="race", block=block, both=True, **where)


# ---- indices, of threads that go through a loop together

@bounds("index 242 is out of bounds for 'x' of shape (242,)", (242,), (N,), block=N, thread=(50, 0, 0))
def part_of_a_row_is_missing(x, out):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    total = 0.0
    for k in range(4):
        total += x[k * N + t]  # fault
    tile[t] = total
    device.syncthreads()
    out[t] = tile[N - 1 - t]


@bounds("index 127 is out of bounds for 'x' of shape (100,)", (100,), (N,), block=N, thread=(0, 0, 0))
def rows_backwards(x, out):
    t = device.thread_idx.x
    total = 0.0
    for k in range(2):
        total += x[k * N + (N - 1 - t)]  # fault
    device.syncthreads()
    out[t] = total


@bounds("index 64 is out of bounds for 'bins' of shape (64,)", np.where(np.arange(3 * N) == N + 7, N, 5).astype(np.int32), (N,), block=N,
        thread=(7, 0, 0))
def a_key_beyond_the_bins(x, out):
    bins = device.shared_array(N, device.int32)
    t = device.thread_idx.x
    bins[t] = 0
    device.syncthreads()
    for k in range(3):
        device.atomic.add(bins, x[k * N + t], 1, memory="relaxed", scope="block")  # fault
    device.syncthreads()
    out[t] = bins[t]


@bounds("index 1073741824 is out of bounds for 'tile' of shape (64,)", np.where(np.arange(N) == 5, 1 << 30, np.arange(N)).astype(np.int32), (N,),
        block=N, thread=(5, 0, 0))
def what_fails_is_kept_behind_a_barrier(where, out):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    j = where[t]
    tile[j] = t  # fault
    device.syncthreads()
    out[t] = tile[N - 1 - t] + where[j]


# ---- races

@races("'tile'[", (N,))
def no_barrier_after_a_store(x):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    tile[t] = x[t]  # fault
    x[t] = tile[N - 1 - t]  # fault


@races("'end'[", (N,))
def views_that_begin_elsewhere_for_each_thread(out):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    end = tile[N - 1 - t:]
    end[t] = t  # fault
    device.syncthreads()
    out[t] = tile[t]


@races("'part'[", (N,))
def views_that_begin_elsewhere_in_each_turn(out):
    tile = device.shared_array(2 * N, device.float32)
    t = device.thread_idx.x
    for first in range(4):
        part = tile[first:]
        part[t] = t  # fault
    device.syncthreads()
    out[t] = tile[t]


@races("'tile'[", (512,), block=512)
def place_in_the_block_made_narrow(out):
    tile = device.shared_array(512, device.int32)
    t = device.thread_idx.x
    tile[device.uint8(t)] = t  # fault
    device.syncthreads()
    out[t] = tile[t]


@races("'tile'[", (2 * N,), (N,))
def no_barrier_before_a_tile_is_used_again(x, out):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    total = 0.0
    for part in range(2):
        tile[t] = x[part * N + t]  # fault
        device.syncthreads()
        total += tile[N - 1 - t]  # fault
    out[t] = total


@races("'tile'[", (N,), (2,))
def warp_without_syncwarp(x, out):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    tile[t] = x[t]
    device.syncwarp()
    step = 16
    while step > 0:
        if t % 32 < step:
            v = tile[t + step]  # fault
            tile[t] += v  # fault
        step //= 2
    if t % 32 == 0:
        out[t // 32] = tile[t]  # fault


@races("'tile'[", (N,), (N,))
def syncwarp_where_the_block_must_wait(x, out):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    tile[t] = x[t]  # fault
    device.syncwarp()
    out[t] = tile[(t + 32) % N]  # fault


@races("counts", (N,))
def zeros_without_a_barrier_before_atomics(x):
    counts = device.shared_array(16, device.int32)
    t = device.thread_idx.x
    if t < 16:
        counts[t] = 0  # fault
    device.atomic.add(counts, int(t) * 7 % 16, 1)  # fault
    device.syncthreads()
    x[t] = counts[t % 16]


@races("counts", (N,))
def counts_without_a_barrier_behind_atomics(x):
    counts = device.shared_array(16, device.int32)
    t = device.thread_idx.x
    if t < 16:
        counts[t] = 0
    device.syncthreads()
    device.atomic.add(counts, int(t) * 7 % 16, 1)  # fault
    x[t] = counts[t % 16]  # fault


@races("flags", (N,))
def atomic_store_and_plain_load(x):
    flags = device.shared_array(1, device.int32)
    t = device.thread_idx.x
    if t == 0:
        device.atomic.store(flags, 0, 1)  # fault
    x[t] = flags[0]  # fault


@races("'tile'[", (N,))
def neighbours_in_place(x):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    tile[t] = x[t]
    device.syncthreads()
    if 0 < t < N - 1:
        v = tile[t - 1] + tile[t + 1]  # fault
        tile[t] = v  # fault
    device.syncthreads()
    x[t] = tile[t]


@races("'tile'[", (N,), (1,))
def reduction_with_one_barrier_missing(x, out):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    tile[t] = x[t]
    device.syncthreads()
    step = N // 2
    while step > 0:
        if t < step:
            v = tile[t + step]  # fault
            tile[t] += v  # fault
        step //= 2
    device.syncthreads()
    if t == 0:
        out[0] = tile[0]


@races("'tile'[", (N,))
def reduction_without_the_first_barrier(x):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    tile[t] = x[t]  # fault
    step = N // 2
    while step > 0:
        if t < step:
            v = tile[t + step]  # fault
            tile[t] += v  # fault
        device.syncthreads()
        step //= 2
    x[t] = tile[0]


@races("'pairs'[", (N,))
def two_threads_write_one_element(x):
    pairs = device.shared_array(N // 2, device.int32)
    t = device.thread_idx.x
    pairs[t // 2] = t  # fault
    device.syncthreads()
    x[t] = pairs[t // 2]


@races("'flag'[0] is ", (N,))
def one_thread_tells_the_others(x):
    flag = device.shared_array(1, device.int32)
    t = device.thread_idx.x
    if t == 0:
        flag[0] = 7  # fault
    x[t] = flag[0]  # fault


@races("'tile'[", (8, 8), block=(8, 8))
def transposed_without_a_barrier(a):
    tile = device.shared_array((8, 8), device.float32)
    i, j = device.tid(2)
    tile[j, i] = a[j, i]  # fault
    a[j, i] = tile[i, j]  # fault


@races("'words'[", (N,), shared=4 * N)
def dynamic_memory_without_a_barrier(x):
    words = device.dynamic_shared_array(device.int32)
    t = device.thread_idx.x
    words[t] = t  # fault
    x[t] = words[(t + 1) % N]  # fault


@races("uses the same memory: '", (N,), shared=4 * N)
def two_views_of_dynamic_memory(x):
    words = device.dynamic_shared_array(device.int32)
    floats = device.dynamic_shared_array(device.float32)
    t = device.thread_idx.x
    words[t] = t  # fault
    device.syncwarp()
    floats[N - 1 - t] = x[t]  # fault


@races("'own'[", (N,))
def in_a_function_called_twice(x):
    def neighbour(value):
        own = device.shared_array(N, device.float32)
        t = device.thread_idx.x
        own[t] = value  # fault
        device.syncthreads()
        return own[(t + 1) % N]  # fault
    t = device.thread_idx.x
    x[t] = neighbour(neighbour(x[t]))


@races("'tile'[", (N,))
def scan_with_one_buffer(x):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    tile[t] = x[t]
    step = 1
    while step < N:
        device.syncthreads()
        if t >= step:
            tile[t] += tile[t - step]  # fault
        step *= 2
    x[t] = tile[t]  # fault


@races("'buffers'[", (4 * N,), (N,))
def the_wrong_one_of_two_buffers(x, out):
    buffers = device.shared_array((2, N), device.float32)
    t = device.thread_idx.x
    buffers[0, t] = x[t]
    device.syncthreads()
    total = 0.0
    for part in range(3):
        buffers[part % 2, t] = x[(part + 1) * N + t]  # fault
        total += buffers[part % 2, N - 1 - t]  # fault
        device.syncthreads()
    out[t] = total


@device.struct
class Pair:
    key: device.int32
    weight: float


@races("'pairs'[", (N,))
def structs_without_a_barrier(x):
    pairs = device.shared_array(N, Pair)
    t = device.thread_idx.x
    pairs[t] = Pair(t, 0.5)  # fault
    x[t] = pairs[N - 1 - t].weight  # fault


@races("'small'[", (N,))
def bytes_without_a_barrier(x):
    small = device.shared_array(N, device.uint8)
    t = device.thread_idx.x
    small[t] = t  # fault
    x[t] = small[t ^ 1]  # fault


@races("'x'[", (2 * N,), grid=2)
def a_barrier_orders_one_block_only(x):
    i = device.tid(1)
    x[i] = 1.0  # fault
    device.syncthreads()
    v = x[2 * N - 1 - i]  # fault
    device.syncthreads()
    x[i] = v  # fault


@races("'tile'[", (N,))
def after_a_thousand_barriers(x):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    for k in range(1500):
        tile[(t + k) % N] = k
        device.syncthreads()
    x[t] = tile[t]  # fault
    tile[(t + 1) % N] = 0.0  # fault


@races("'tile'[", (N,), (N,))
def threads_that_wait_for_a_lock(x, turn):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    ticket = device.atomic.add(turn, 0, 1.0)
    while device.atomic.load(turn, 0, "acquire") < N:
        pass
    tile[t] = ticket  # fault
    x[t] = tile[N - 1 - t]  # fault


# ---- reads of what nobody wrote

@reads("'tile'[32]", (N,), thread=(32, 0, 0))
def half_of_a_tile(x):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    if t < 32:
        tile[t] = x[t]
    device.syncthreads()
    x[t] = tile[t]  # fault


@reads("'tile'[0]", (N,), thread=(0, 0, 0))
def a_halo_that_nobody_loads(x):
    tile = device.shared_array(N + 2, device.float32)
    t = device.thread_idx.x
    tile[t + 1] = x[t]
    device.syncthreads()
    x[t] = tile[t] + tile[t + 2]  # fault


@reads("'own'[3]", (N,), thread=(0, 0, 0))
def local_array_filled_in_part(x):
    own = device.local_array(4, device.float32)
    for k in range(3):
        own[k] = k
    total = 0.0
    for k in range(4):
        total += own[k]  # fault
    x[device.tid(1)] = total


@reads("'own'[5]", (N,), thread=(5, 0, 0))
def local_array_of_some_threads(x):
    own = device.local_array(8, device.int64)
    t = device.thread_idx.x
    for k in range(8):
        if k != 5 or t < 5:
            own[k] = k
    x[t] = own[t % 8]  # fault


@reads("'counts'", (N,), thread=(0, 0, 0))
def counts_that_begin_with_anything(x):
    counts = device.shared_array(16, device.int32)
    t = device.thread_idx.x
    device.atomic.add(counts, t % 16, 1)  # fault
    device.syncthreads()
    x[t] = counts[t % 16]


@reads("'tile'[0]", (4 * N,), grid=4, thread=(0, 0, 0))
def what_another_block_has_left(x):
    tile = device.shared_array(N, device.float32)
    i, t = device.tid(1), device.thread_idx.x
    if device.block_idx.x == 0:
        tile[t] = 1.0
    device.syncthreads()
    x[i] = tile[t]  # fault


@reads("'words'[64]", (N,), shared=4 * N + 4, thread=(63, 0, 0))
def dynamic_memory_behind_the_last(x):
    words = device.dynamic_shared_array(device.int32)
    t = device.thread_idx.x
    words[t] = t
    device.syncthreads()
    x[t] = words[t + 1]  # fault


@reads("'small'[1]", (N,), thread=(1, 0, 0))
def one_byte_of_a_word(x):
    small = device.shared_array(N, device.uint8)
    t = device.thread_idx.x
    if t != 1:
        small[t] = t
    device.syncthreads()
    x[t] = small[t]  # fault


@reads("'pairs'[1]", (N,), thread=(0, 0, 0))
def a_struct_that_nobody_wrote(x):
    pairs = device.shared_array(N, Pair)
    t = device.thread_idx.x
    if t != 1:
        pairs[t] = Pair(t, 0.5)
    device.syncthreads()
    x[t] = pairs[(t + 1) % N].weight  # fault


@reads("]", (N,), (1,))
def before_a_lock_is_given(x, turn):
    tile = device.shared_array(N, device.float32)
    t = device.thread_idx.x
    device.atomic.add(turn, 0, 1.0)
    while device.atomic.load(turn, 0, "acquire") < N:
        pass
    x[t] = tile[t]  # fault


# ---- barriers that some do not come to

@parts((N,))
def a_barrier_in_each_branch(x):
    t = device.thread_idx.x
    if t < 32:
        x[t] = 1.0
        device.syncthreads()  # fault
    else:
        device.syncthreads()  # fault
        x[t] = 2.0


@parts((N,))
def a_barrier_in_one_branch(x):
    t = device.thread_idx.x
    if t % 2:
        device.syncthreads()  # fault
    x[t] = 1.0
    device.syncthreads()  # fault


@parts((N,))
def a_loop_with_a_barrier_ends_apart(x):
    t = device.thread_idx.x
    for k in range(t // 32 + 1):
        x[t] += k
        device.syncthreads()  # fault
    device.syncthreads_and(True)  # fault


@parts((N,))
def a_count_and_a_barrier(x):
    t = device.thread_idx.x
    if t < 40:
        x[t] = device.syncthreads_count(t > 3)  # fault
    else:
        device.syncthreads()  # fault
