# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float32[::1])
from hetjit import device
def shuffles(x, out):
    i = device.tid(1)
    v = x[i]
    for k in range(5):
        v += device.shfl_down_sync(device.FULL_MASK, v, 16 >> k)
    if device.lane_id == 0:
        device.atomic.add(out, 0, v)

# CHECK: shuffles(x: float32[::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   tier Whole: all threads of a block come to the same barriers
# CHECK:   vectors of 32 lanes: the kernel uses warps, which have 32 threads
# CHECK:   --> tests/golden/explain/shuffles.py:7:9
# CHECK:    |
# CHECK: 7  |     v = x[i]
# CHECK:    |         ---- load: contiguous, float32
# CHECK: 8  |     for k in range(5):
# CHECK:    |     ------------------... loop: uniform
# CHECK: ...
# CHECK: 10 |     if device.lane_id == 0:
# CHECK:    |        ------------------- branch: divergent
# CHECK: 11 |         device.atomic.add(out, 0, v)
# CHECK:    |         ---------------------------- atomic update: uniform, float32
