# SHOW: explain
# KERNEL: yes
# FOR: (int32[::1])
from hetjit import device
def divergent_barrier(x):
    i = device.tid(1)
    if x[i] > 0:
        device.syncthreads()
        x[i] = 1
    else:
        device.syncthreads()
        x[i] = 2

# CHECK: divergent_barrier(x: int32[::1]) on cpu:x86-64-v3
# CHECK:   tier Threads: threads of a warp may come to different barriers
# CHECK:   3 phases, from wait to wait
# CHECK:   1 lane: each thread goes from wait to wait by itself
# CHECK:   --> tests/golden/explain/divergent_barrier.py:7:8
# CHECK:    |
# CHECK: 7  |     if x[i] > 0:
# CHECK:    |        ---- load: contiguous, int32
# CHECK:    |        -------- branch: divergent
# CHECK: 8  |         device.syncthreads()
# CHECK:    |         -------------------- barrier: each thread goes on from it by itself
# CHECK: 9  |         x[i] = 1
# CHECK:    |         ---- store: contiguous, int32
# CHECK: ...
# CHECK: 11 |         device.syncthreads()
# CHECK:    |         -------------------- barrier: each thread goes on from it by itself
# CHECK: 12 |         x[i] = 2
# CHECK:    |         ---- store: contiguous, int32
