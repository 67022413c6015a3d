# KERNEL: yes
# SHOW: explain
# TARGET: cpu:x86-64-v3
# FOR: (float32[::1], float32[::1], float32[::1])
from hetjit import device


def dot(x, y, out):
    shared = device.shared_array(256, device.float32)
    t = device.thread_idx.x
    total = 0.0
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        total += x[i] * y[i]
    shared[t] = total
    device.syncthreads()
    if t == 0:
        for k in range(256):
            device.atomic.add(out, 0, shared[k])

# CHECK: dot(x: float32[::1], y: float32[::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   tier Whole: all threads of a block come to the same barriers; its warps go through a loop over memory turn by turn, where it is long
# CHECK:   3 phases, from wait to wait
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   warps that have nothing to do between two waits are skipped, in blocks of one row
# CHECK:   what a loop with barriers reads is fetched a turn ahead
# CHECK:   --> tests/golden/explain/sum_in_step.py:12:5
# CHECK:    |
# CHECK: 12 |     for i in range(device.tid(1), len(x), device.grid_size(1)):
# CHECK:    |     -----------------------------------------------------------... loop: divergent, full warps until their last turns
# CHECK: 13 |         total += x[i] * y[i]
# CHECK:    |                  ---- load: contiguous, float32
# CHECK:    |                         ---- load: contiguous, float32
# CHECK: 14 |     shared[t] = total
# CHECK:    |     --------- store: contiguous, float32 of shared memory
# CHECK: 15 |     device.syncthreads()
# CHECK:    |     -------------------- barrier: the block's threads go on from it together
# CHECK: 16 |     if t == 0:
# CHECK:    |        ------ branch: divergent
# CHECK: 17 |         for k in range(256):
# CHECK:    |         --------------------... loop: uniform
# CHECK: 18 |             device.atomic.add(out, 0, shared[k])
# CHECK:    |             ------------------------------------ atomic update: uniform, float32
# CHECK:    |                                       --------- load: uniform, float32 of shared memory
