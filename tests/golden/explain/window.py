# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], int, float32[::1])
from hetjit import device
def window(x, radius, out):
    i = device.tid(1)
    if i < out.shape[0]:
        total = 0.0
        for k in range(-radius, radius + 1):
            if 0 <= i + k < x.shape[0]:
                total += x[i + k]
        out[i] = total

# CHECK: window(x: float32[::1], radius: int, out: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   2 vectors side by side, where a row has as many: a loop's turns wait for those before
# CHECK:   --> tests/golden/explain/window.py:7:8
# CHECK:    |
# CHECK: 7  |     if i < out.shape[0]:
# CHECK:    |        ---------------- branch: divergent
# CHECK: ...
# CHECK: 9  |         for k in range(-radius, radius + 1):
# CHECK:    |         ------------------------------------... loop: uniform, without masks while all lanes are within bounds
# CHECK: 10 |             if 0 <= i + k < x.shape[0]:
# CHECK:    |                ----------------------- branch: divergent
# CHECK: 11 |                 total += x[i + k]
# CHECK:    |                          -------- load: contiguous, float32
# CHECK: 12 |         out[i] = total
# CHECK:    |         ------ store: contiguous, float32
