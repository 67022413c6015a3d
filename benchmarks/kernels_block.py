"""The timed kernels whose threads work together: shared memory, barriers, shuffles, atomics."""

from hetjit import device

TILE = 16  # threads of a tile's side
BLOCK = 256
CHUNK = 16 * BLOCK  # elements that a block sums
HISTOGRAM_CHUNK = 256 * BLOCK


@device.kernel
def matmul(a, b, c):
    left = device.shared_array((TILE, TILE), device.float32)
    right = device.shared_array((TILE, TILE), device.float32)
    x, y = device.thread_idx.x, device.thread_idx.y
    column, row = device.tid(2)
    total = 0.0
    for first in range(0, a.shape[1], TILE):
        left[y, x] = a[row, first + x]
        right[y, x] = b[first + y, column]
        device.syncthreads()
        for k in range(TILE):
            total += left[y, k] * right[k, x]
        device.syncthreads()
    c[row, column] = total


@device.kernel
def tree_sums(x, partial):
    cache = device.shared_array(BLOCK, device.float32)
    thread, block = device.thread_idx.x, device.block_idx.x
    total = 0.0
    for k in range(CHUNK // BLOCK):
        total += x[block * CHUNK + k * BLOCK + thread]
    cache[thread] = total
    device.syncthreads()
    distance = BLOCK // 2
    while distance > 0:
        if thread < distance:
            cache[thread] += cache[thread + distance]
        device.syncthreads()
        distance //= 2
    if thread == 0:
        partial[block] = cache[0]


@device.func
def warp_sum(value):
    distance = device.warp_size // 2
    while distance > 0:
        value += device.shfl_down_sync(device.FULL_MASK, value, distance)
        distance //= 2
    return value


@device.kernel
def shuffle_sums(x, partial):
    cache = device.shared_array(BLOCK, device.float32)
    thread, block = device.thread_idx.x, device.block_idx.x
    total = 0.0
    for k in range(CHUNK // BLOCK):
        total += x[block * CHUNK + k * BLOCK + thread]
    total = warp_sum(total)
    if thread % device.warp_size == 0:
        cache[thread // device.warp_size] = total
    device.syncthreads()
    if thread < device.warp_size:
        total = warp_sum(cache[thread] if thread < BLOCK // device.warp_size else 0.0)
        if thread == 0:
            partial[block] = total


@device.kernel
def histogram(x, counts):
    own = device.shared_array(BLOCK, device.int32)
    thread = device.thread_idx.x
    own[thread] = 0
    device.syncthreads()
    first = device.block_idx.x * HISTOGRAM_CHUNK + thread
    for k in range(HISTOGRAM_CHUNK // BLOCK):
        device.atomic.add(own, x[first + k * BLOCK], 1, memory="relaxed", scope="block")
    device.syncthreads()
    device.atomic.add(counts, thread, own[thread], memory="relaxed", scope="device")


@device.kernel
def transpose(source, result):
    """Blocks of 32 x 8 threads move tiles of 32 x 32; the 33rd column keeps a GPU's banks apart."""
    tile = device.shared_array((32, 33), device.float32)
    x, y = device.thread_idx.x, device.thread_idx.y
    left, top = device.block_idx.x * 32, device.block_idx.y * 32
    for k in range(0, 32, 8):
        tile[y + k, x] = source[top + y + k, left + x]
    device.syncthreads()
    for k in range(0, 32, 8):
        result[left + y + k, top + x] = tile[x, y + k]
