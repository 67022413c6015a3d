# SHOW: explain
# KERNEL: yes
# FOR: (array[float32, 2, contiguous, index32], float32[::1], float32[::1])
from hetjit import device
def product(a, x, y):
    i = device.tid(1)
    if i < y.shape[0]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * x[k]
        y[i] = total

# CHECK: product(a: float32[:, ::1], x: float32[::1], y: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   where each thread reads a row of its own, some turns of the loop are read at once
# CHECK:   --> tests/golden/explain/rows_read.py:7:8
# CHECK:    |
# CHECK: 7  |     if i < y.shape[0]:
# CHECK:    |        -------------- branch: divergent
# CHECK: ...
# CHECK: 9  |         for k in range(a.shape[1]):
# CHECK:    |         ---------------------------... loop: uniform
# CHECK: 10 |             total += a[i, k] * x[k]
# CHECK:    |                      ------- load: strided, float32, by a stride known at run time only
# CHECK:    |                                ---- load: uniform, float32
# CHECK: 11 |         y[i] = total
# CHECK:    |         ---- store: contiguous, float32
# CHECK:    = help: a[i, k]: the last axis is contiguous, and threads side by side go along another: let the threads of a block or a warp go along it together, or keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
