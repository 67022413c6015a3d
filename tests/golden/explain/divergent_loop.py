# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float)
from hetjit import device
def divergent_loop(x, limit):
    i = device.tid(1)
    v = x[i]
    while v < limit:
        v = v * 2 + 1
    for k in range(10):
        if v > k:
            break
        v += 1
    while True:
        v *= 3
        if v > 1000:
            break
    x[i] = v

# CHECK: divergent_loop(x: float32[::1], limit: float) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   2 vectors side by side, where a row has as many: threads leave a loop at different times
# CHECK:   --> tests/golden/explain/divergent_loop.py:7:9
# CHECK:    |
# CHECK: 7  |     v = x[i]
# CHECK:    |         ---- load: contiguous, float32
# CHECK: 8  |     while v < limit:
# CHECK:    |           --------- loop: divergent
# CHECK: ...
# CHECK: 10 |     for k in range(10):
# CHECK:    |     -------------------... loop: divergent
# CHECK: 11 |         if v > k:
# CHECK:    |            ----- branch: divergent, leaves the loop
# CHECK: ...
# CHECK: 16 |         if v > 1000:
# CHECK:    |            -------- loop: divergent
# CHECK: ...
# CHECK: 18 |     x[i] = v
# CHECK:    |     ---- store: contiguous, float32
