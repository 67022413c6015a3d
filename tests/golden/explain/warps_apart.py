# SHOW: explain
# KERNEL: yes
# FOR: (int32[::1])
from hetjit import device
def warps_apart(x):
    i = device.tid(1)
    if device.any_sync(device.FULL_MASK, x[i] > 0):
        device.syncthreads()
        x[i] = 1
    else:
        device.syncthreads()
        x[i] = 2

# CHECK: warps_apart(x: int32[::1]) on cpu:x86-64-v3
# CHECK:   tier Warps: threads of a block may come to different barriers, those of a warp do not
# CHECK:   3 phases, from wait to wait
# CHECK:   vectors of 32 lanes: the kernel uses warps, which have 32 threads
# CHECK:   --> tests/golden/explain/warps_apart.py:7:5
# CHECK:    |
# CHECK: 7  |     if device.any_sync(device.FULL_MASK, x[i] > 0):
# CHECK:    |     -----------------------------------------------... branch: uniform
# CHECK:    |                                          ---- load: contiguous, int32
# CHECK: 8  |         device.syncthreads()
# CHECK:    |         -------------------- barrier: each warp goes on from it by itself
# CHECK: 9  |         x[i] = 1
# CHECK:    |         ---- store: contiguous, int32
# CHECK: ...
# CHECK: 11 |         device.syncthreads()
# CHECK:    |         -------------------- barrier: each warp goes on from it by itself
# CHECK: 12 |         x[i] = 2
# CHECK:    |         ---- store: contiguous, int32
