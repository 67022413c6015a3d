# SHOW: explain
# KERNEL: yes
# FOR: (uint8[:, ::1], int32[::1], uint8)
# FOR: (float32[:, ::1], int32[::1], float32)
from hetjit import device
def row_count(a, out, most):
    i = device.tid(1)
    if i < a.shape[0]:
        above = 0
        for k in range(a.shape[1]):
            if a[i, k] > most:
                above += 1
        out[i] = above

# CHECK: row_count(a: uint8[:, ::1], out: int32[::1], most: uint8) on cpu:x86-64-v3
# CHECK:   thread by thread: each walks along memory of its own; vectors would take 7.0 times as long
# CHECK:   --> tests/golden/explain/row_count.py:8:8
# CHECK:    |
# CHECK: 8  |     if i < a.shape[0]:
# CHECK:    |        -------------- branch: divergent
# CHECK: ...
# CHECK: 10 |         for k in range(a.shape[1]):
# CHECK:    |         ---------------------------... loop: uniform
# CHECK: 11 |             if a[i, k] > most:
# CHECK:    |                ------- load: strided, uint8, by a stride known at run time only
# CHECK:    |                -------------- branch: divergent
# CHECK: ...
# CHECK: 13 |         out[i] = above
# CHECK:    |         ------ store: contiguous, int32
# CHECK:    = help: a[i, k]: the last axis is contiguous, and threads side by side go along another: let the threads of a block or a warp go along it together, or keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
# CHECK: row_count(a: float32[:, ::1], out: int32[::1], most: float32) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/row_count.py:8:8
# CHECK:    |
# CHECK: 8  |     if i < a.shape[0]:
# CHECK:    |        -------------- branch: divergent
# CHECK: ...
# CHECK: 10 |         for k in range(a.shape[1]):
# CHECK:    |         ---------------------------... loop: uniform
# CHECK: 11 |             if a[i, k] > most:
# CHECK:    |                ------- load: strided, float32, by a stride known at run time only
# CHECK:    |                -------------- branch: divergent
# CHECK: ...
# CHECK: 13 |         out[i] = above
# CHECK:    |         ------ store: contiguous, int32
# CHECK:    = help: a[i, k]: the last axis is contiguous, and threads side by side go along another: let the threads of a block or a warp go along it together, or keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
