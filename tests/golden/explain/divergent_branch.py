# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], int)
from hetjit import device
def divergent_branch(x, mode):
    i = device.tid(1)
    if mode > 0:
        if x[i] > 0:
            x[i] = 1
        else:
            x[i] = 2

# CHECK: divergent_branch(x: float32[::1], mode: int) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/divergent_branch.py:7:8
# CHECK:    |
# CHECK: 7  |     if mode > 0:
# CHECK:    |        -------- branch: uniform
# CHECK: 8  |         if x[i] > 0:
# CHECK:    |            ---- load: contiguous, float32
# CHECK:    |            -------- branch: divergent
# CHECK: 9  |             x[i] = 1
# CHECK:    |             ---- store: contiguous, float32
# CHECK: ...
# CHECK: 11 |             x[i] = 2
# CHECK:    |             ---- store: contiguous, float32
