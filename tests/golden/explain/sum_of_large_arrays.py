# KERNEL: yes
# SHOW: explain
# TARGET: cpu:x86-64-v3
# FOR: (float32[::1], float32[::1], float32[::1])
from hetjit import device


def dot(x, y, out):
    total = 0.0
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        total += x[i] * y[i]
    device.atomic.add(out, 0, total)

# CHECK: dot(x: float32[::1], y: float32[::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   2 vectors side by side, where a row has as many: threads leave a loop at different times
# CHECK:   with more elements of x, y than caches hold, the warps of a block go through a loop over memory turn by turn
# CHECK:   --> tests/golden/explain/sum_of_large_arrays.py:10:5
# CHECK:    |
# CHECK: 10 |     for i in range(device.tid(1), len(x), device.grid_size(1)):
# CHECK:    |     -----------------------------------------------------------... loop: divergent, full warps until their last turns
# CHECK: 11 |         total += x[i] * y[i]
# CHECK:    |                  ---- load: contiguous, float32
# CHECK:    |                         ---- load: contiguous, float32
# CHECK: 12 |     device.atomic.add(out, 0, total)
# CHECK:    |     -------------------------------- atomic update: uniform, float32
