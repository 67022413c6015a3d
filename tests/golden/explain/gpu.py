# SHOW: explain
# KERNEL: yes
# TARGET: hip:gfx942
# FOR: (float, array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32])
from hetjit import device
def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]

# CHECK: saxpy(a: float, x: float32[::1], y: float32[::1]) on hip:gfx942
# CHECK:   warps of 64 threads
# CHECK:   --> tests/golden/explain/gpu.py:8:8
# CHECK:    |
# CHECK: 8  |     if i < x.shape[0]:
# CHECK:    |        -------------- branch: divergent
# CHECK: 9  |         y[i] = a * x[i] + y[i]
# CHECK:    |         ---- store: contiguous, float32
# CHECK:    |                    ---- load: contiguous, float32
# CHECK:    |                           ---- load: contiguous, float32
