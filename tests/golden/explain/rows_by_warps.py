# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, ::1], float32[::1])
from hetjit import device
def rows_by_warps(a, out):
    row, lane = device.tid(1) // 32, device.tid(1) % 32
    if row < a.shape[0]:
        total = 0.0
        for k in range(lane, a.shape[1], 32):
            total += a[row, k]
        distance = 16
        while distance > 0:
            total += device.shfl_xor_sync(device.FULL_MASK, total, distance)
            distance //= 2
        if lane == 0:
            out[row] = total

# CHECK: rows_by_warps(a: float32[:, ::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   tier Whole: all threads of a block come to the same barriers
# CHECK:   vectors of 32 lanes: the kernel uses warps, which have 32 threads
# CHECK:   best in blocks whose extent along x is a multiple of 32
# CHECK:   --> tests/golden/explain/rows_by_warps.py:7:8
# CHECK:    |
# CHECK: 7  |     if row < a.shape[0]:
# CHECK:    |        ---------------- branch: uniform
# CHECK: ...
# CHECK: 9  |         for k in range(lane, a.shape[1], 32):
# CHECK:    |         -------------------------------------... loop: divergent, full warps until their last turns
# CHECK: 10 |             total += a[row, k]
# CHECK:    |                      --------- load: contiguous, float32
# CHECK: ...
# CHECK: 12 |         while distance > 0:
# CHECK:    |               ------------ loop: uniform
# CHECK: ...
# CHECK: 15 |         if lane == 0:
# CHECK:    |            --------- branch: divergent
# CHECK: 16 |             out[row] = total
# CHECK:    |             -------- store: uniform, float32
