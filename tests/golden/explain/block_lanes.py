# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float32[::1])
from hetjit import device


def f(x, out):
    t = device.thread_idx.x
    i = device.tid(1)
    shared = device.shared_array(256, device.float32)
    shared[t] = x[i]
    device.syncthreads()
    for k in range(256):
        if t % 2 == k % 2 and t + 1 < 256 and shared[t] > shared[t + 1]:
            shared[t], shared[t + 1] = shared[t + 1], shared[t]
        device.syncthreads()
    out[i] = shared[t]

# CHECK: f(x: float32[::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   tier Whole: all threads of a block come to the same barriers
# CHECK:   3 phases, from wait to wait
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   blocks side by side along x are lanes, 16 at a time: threads of one block go different ways, or to elements that lie apart; what follows is of a block by itself
# CHECK:   --> tests/golden/explain/block_lanes.py:11:5
# CHECK:    |
# CHECK: 11 |     shared[t] = x[i]
# CHECK:    |     --------- store: contiguous, float32 of shared memory
# CHECK:    |                 ---- load: contiguous, float32
# CHECK: 12 |     device.syncthreads()
# CHECK:    |     -------------------- barrier: the block's threads go on from it together
# CHECK: 13 |     for k in range(256):
# CHECK:    |     --------------------... loop: uniform
# CHECK: 14 |         if t % 2 == k % 2 and t + 1 < 256 and shared[t] > shared[t + 1]:
# CHECK:    |            -------------- branch: divergent
# CHECK:    |                               ----------- branch: divergent
# CHECK:    |                                               --------- load: contiguous, float32 of shared memory
# CHECK:    |                                               ------------------------- branch: divergent
# CHECK:    |                                                           ------------- load: contiguous, float32 of shared memory
# CHECK: 15 |             shared[t], shared[t + 1] = shared[t + 1], shared[t]
# CHECK:    |             --------- store: contiguous, float32 of shared memory
# CHECK:    |                        ------------- store: contiguous, float32 of shared memory
# CHECK:    |                                        ------------- load: contiguous, float32 of shared memory
# CHECK:    |                                                       --------- load: contiguous, float32 of shared memory
# CHECK: 16 |         device.syncthreads()
# CHECK:    |         -------------------- barrier: the block's threads go on from it together
# CHECK: 17 |     out[i] = shared[t]
# CHECK:    |     ------ store: contiguous, float32
# CHECK:    |              --------- load: contiguous, float32 of shared memory
