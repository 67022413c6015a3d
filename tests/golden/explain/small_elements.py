# SHOW: explain
# KERNEL: yes
# FOR: (uint8[::1], uint8[::1])
# FOR: (float16[::1], uint8[::1])
# FOR: (float32[::1], uint8[::1])
from hetjit import device
def small_elements(x, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = device.uint8(x[i] + x[i])

# CHECK: small_elements(x: uint8[::1], out: uint8[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   4 vectors side by side, where a row has as many: a register holds more of the small elements
# CHECK:   --> tests/golden/explain/small_elements.py:9:8
# CHECK:    |
# CHECK: 9  |     if i < out.shape[0]:
# CHECK:    |        ---------------- branch: divergent
# CHECK: 10 |         out[i] = device.uint8(x[i] + x[i])
# CHECK:    |         ------ store: contiguous, uint8
# CHECK:    |                               ---- load: contiguous, uint8
# CHECK: small_elements(x: float16[::1], out: uint8[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   2 vectors side by side, where a row has as many: a register holds more of the small elements
# CHECK:   --> tests/golden/explain/small_elements.py:9:8
# CHECK:    |
# CHECK: 9  |     if i < out.shape[0]:
# CHECK:    |        ---------------- branch: divergent
# CHECK: 10 |         out[i] = device.uint8(x[i] + x[i])
# CHECK:    |         ------ store: contiguous, uint8
# CHECK:    |                               ---- load: contiguous, float16
# CHECK: small_elements(x: float32[::1], out: uint8[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/small_elements.py:9:8
# CHECK:    |
# CHECK: 9  |     if i < out.shape[0]:
# CHECK:    |        ---------------- branch: divergent
# CHECK: 10 |         out[i] = device.uint8(x[i] + x[i])
# CHECK:    |         ------ store: contiguous, uint8
# CHECK:    |                               ---- load: contiguous, float32
