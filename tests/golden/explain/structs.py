# SHOW: explain
# KERNEL: yes
# FOR: (float32x3[::1], float32x2[::1])
from hetjit import device
def structs(points, out):
    i = device.tid(1)
    out[i] = device.float32x2(points[i].x, points[0].y)

# CHECK: structs(points: float32x3[::1], out: float32x2[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/structs.py:7:5
# CHECK:    |
# CHECK: 7  |     out[i] = device.float32x2(points[i].x, points[0].y)
# CHECK:    |     ------ store: contiguous, float32x2, part by part
# CHECK:    |                               --------- load: contiguous, float32x3, part by part
# CHECK:    |                                            --------- load: uniform, float32x3
