# SHOW: explain
# KERNEL: yes
# FUNCTION: device_function
# FOR: (float32[::1], float32[::1])
from hetjit import device

def mean(x, i):
    return (x[i] + x[i + 1]) / 2

def device_function(x, out):
    i = device.tid(1)
    out[i] = mean(x, i) + mean(x, 0)

# CHECK: device_function(x: float32[::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/device_function.py:12:5
# CHECK:    |
# CHECK: 12 |     out[i] = mean(x, i) + mean(x, 0)
# CHECK:    |     ------ store: contiguous, float32
# CHECK:   --> tests/golden/explain/device_function.py:8:13
# CHECK:    |
# CHECK: 8  |     return (x[i] + x[i + 1]) / 2
# CHECK:    |             ---- load: contiguous, float32
# CHECK:    |             ---- load: uniform, float32
# CHECK:    |                    -------- load: contiguous, float32
# CHECK:    |                    -------- load: uniform, float32
