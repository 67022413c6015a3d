# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, ::1], float32[:, ::1], float32[:, ::1])
from hetjit import device
def product(a, b, c):
    i, j = device.tid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total

# CHECK: product(a: float32[:, ::1], b: float32[:, ::1], c: float32[:, ::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along y, through the whole grid: blocks of any shape are the same to it; 16 rows together, 4 of them as one, as they load the same in a loop
# CHECK:   4 vectors side by side, where a row has as many: a loop's turns wait for those before
# CHECK:   --> tests/golden/explain/rows_of_the_grid.py:7:8
# CHECK:    |
# CHECK: 7  |     if i < c.shape[0] and j < c.shape[1]:
# CHECK:    |        -------------- branch: uniform
# CHECK:    |                           -------------- branch: divergent
# CHECK: ...
# CHECK: 9  |         for k in range(a.shape[1]):
# CHECK:    |         ---------------------------... loop: uniform
# CHECK: 10 |             total += a[i, k] * b[k, j]
# CHECK:    |                      ------- load: uniform, float32
# CHECK:    |                                ------- load: contiguous, float32
# CHECK: 11 |         c[i, j] = total
# CHECK:    |         ------- store: contiguous, float32
