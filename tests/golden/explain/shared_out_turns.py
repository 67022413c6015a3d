# KERNEL: yes
# SHOW: explain
# TARGET: cpu:x86-64-v3
# FOR: (float, float32[::1], float32[::1])
from hetjit import device


def axpy(a, x, y):
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        y[i] = a * x[i] + y[i]

# CHECK: axpy(a: float, x: float32[::1], y: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   turns of the loop in line 9 as memory lies, whoever's they are, where no array that is written shares memory with another: none needs another one's results
# CHECK:   --> tests/golden/explain/shared_out_turns.py:9:5
# CHECK:    |
# CHECK: 9  |     for i in range(device.tid(1), len(x), device.grid_size(1)):
# CHECK:    |     -----------------------------------------------------------... branch: divergent
# CHECK: 10 |         y[i] = a * x[i] + y[i]
# CHECK:    |         ---- store: contiguous, float32
# CHECK:    |                    ---- load: contiguous, float32
# CHECK:    |                           ---- load: contiguous, float32
