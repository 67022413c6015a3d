# SHOW: explain
# KERNEL: yes
# FOR: (float, array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32])
from hetjit import device
def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]

# CHECK: saxpy(a: float, x: float32[::1], y: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/saxpy.py:7:8
# CHECK:    |
# CHECK: 7  |     if i < x.shape[0]:
# CHECK:    |        -------------- branch: divergent
# CHECK: 8  |         y[i] = a * x[i] + y[i]
# CHECK:    |         ---- store: contiguous, float32
# CHECK:    |                    ---- load: contiguous, float32
# CHECK:    |                           ---- load: contiguous, float32
