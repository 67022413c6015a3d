# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, ::1], float32[::1], float32[::1])
from hetjit import device
def uniform_loop(matrix, weights, out):
    j = device.tid(1)
    total = device.float32(0)
    for i in range(matrix.shape[0]):
        total += weights[i] * matrix[i, j]
    out[j] = total

# CHECK: uniform_loop(matrix: float32[:, ::1], weights: float32[::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   4 vectors side by side, where a row has as many: a loop's turns wait for those before
# CHECK:   --> tests/golden/explain/uniform_loop.py:8:5
# CHECK:    |
# CHECK: 8  |     for i in range(matrix.shape[0]):
# CHECK:    |     --------------------------------... loop: uniform
# CHECK: 9  |         total += weights[i] * matrix[i, j]
# CHECK:    |                  ---------- load: uniform, float32
# CHECK:    |                               ------------ load: contiguous, float32
# CHECK: 10 |     out[j] = total
# CHECK:    |     ------ store: contiguous, float32
