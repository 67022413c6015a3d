# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float32[::1])
from hetjit import device
def barrier(x, out):
    tile = device.shared_array(256, device.float32)
    t = device.thread_idx.x
    i = device.tid(1)
    tile[t] = x[i]
    device.syncthreads()
    out[i] = tile[255 - t] + tile[0]

# CHECK: barrier(x: float32[::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   tier Whole: all threads of a block come to the same barriers
# CHECK:   2 phases, from wait to wait
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   --> tests/golden/explain/barrier.py:9:5
# CHECK:    |
# CHECK: 9  |     tile[t] = x[i]
# CHECK:    |     ------- store: contiguous, float32 of shared memory
# CHECK:    |               ---- load: contiguous, float32
# CHECK: 10 |     device.syncthreads()
# CHECK:    |     -------------------- barrier: the block's threads go on from it together
# CHECK: 11 |     out[i] = tile[255 - t] + tile[0]
# CHECK:    |     ------ store: contiguous, float32
# CHECK:    |              ------------- load: contiguous, float32 of shared memory, backwards
# CHECK:    |                              ------- load: uniform, float32 of shared memory
