# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, ::1], float32[::1])
# FOR: (float32[:, ::1], float64[::1])
from hetjit import device
def row_sums(a, out):
    i = device.tid(1)
    if i < a.shape[0]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k]
        out[i] = total

# CHECK: row_sums(a: float32[:, ::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/row_walk.py:8:8
# CHECK:    |
# CHECK: 8  |     if i < a.shape[0]:
# CHECK:    |        -------------- branch: divergent
# CHECK: ...
# CHECK: 10 |         for k in range(a.shape[1]):
# CHECK:    |         ---------------------------... loop: uniform
# CHECK: 11 |             total += a[i, k]
# CHECK:    |                      ------- load: strided, float32, by a stride known at run time only
# CHECK: 12 |         out[i] = total
# CHECK:    |         ------ store: contiguous, float32
# CHECK:    = help: a[i, k]: the last axis is contiguous, and threads side by side go along another: let the threads of a block or a warp go along it together, or keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
# CHECK: row_sums(a: float32[:, ::1], out: float64[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/row_walk.py:8:8
# CHECK:    |
# CHECK: 8  |     if i < a.shape[0]:
# CHECK:    |        -------------- branch: divergent
# CHECK: ...
# CHECK: 10 |         for k in range(a.shape[1]):
# CHECK:    |         ---------------------------... loop: uniform
# CHECK: 11 |             total += a[i, k]
# CHECK:    |                      ------- load: strided, float32, by a stride known at run time only
# CHECK: 12 |         out[i] = total
# CHECK:    |         ------ store: contiguous, float64
# CHECK:    = help: a[i, k]: the last axis is contiguous, and threads side by side go along another: let the threads of a block or a warp go along it together, or keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
