# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, ::1], float32[:, ::1], float32[:, ::1])
from hetjit import device
def tile_product(a, b, out):
    left = device.shared_array((16, 16), device.float32)
    right = device.shared_array((16, 16), device.float32)
    x, y = device.thread_idx.x, device.thread_idx.y
    total = 0.0
    for first in range(0, a.shape[1], 16):
        left[y, x] = a[y, first + x]
        right[y, x] = b[first + y, x]
        device.syncthreads()
        for k in range(16):
            total += left[y, k] * right[k, x]
        device.syncthreads()
    out[y, x] = total

# CHECK: tile_product(a: float32[:, ::1], b: float32[:, ::1], out: float32[:, ::1]) on cpu:x86-64-v3
# CHECK:   tier Whole: all threads of a block come to the same barriers
# CHECK:   3 phases, from wait to wait
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   4 rows of the block side by side, where a row is one vector: they read the same in a loop
# CHECK:   what a loop with barriers reads is fetched a turn ahead
# CHECK:   --> tests/golden/explain/tile_product.py:10:5
# CHECK:    |
# CHECK: 10 |     for first in range(0, a.shape[1], 16):
# CHECK:    |     --------------------------------------... loop: uniform
# CHECK: 11 |         left[y, x] = a[y, first + x]
# CHECK:    |         ---------- store: contiguous, float32 of shared memory
# CHECK:    |                      --------------- load: contiguous, float32, lane by lane where indices turn out to lie apart
# CHECK: 12 |         right[y, x] = b[first + y, x]
# CHECK:    |         ----------- store: contiguous, float32 of shared memory
# CHECK:    |                       --------------- load: contiguous, float32
# CHECK: 13 |         device.syncthreads()
# CHECK:    |         -------------------- barrier: the block's threads go on from it together
# CHECK: 14 |         for k in range(16):
# CHECK:    |         -------------------... loop: uniform
# CHECK: 15 |             total += left[y, k] * right[k, x]
# CHECK:    |                      ---------- load: uniform, float32 of shared memory
# CHECK:    |                                   ----------- load: contiguous, float32 of shared memory
# CHECK: 16 |         device.syncthreads()
# CHECK:    |         -------------------- barrier: the block's threads go on from it together
# CHECK: 17 |     out[y, x] = total
# CHECK:    |     --------- store: contiguous, float32
