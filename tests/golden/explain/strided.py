# SHOW: explain
# KERNEL: yes
# FOR: (float64[:, ::1], float32[:], array[float32, 1, contiguous, index32])
from hetjit import device
def strided(matrix, every_other, out):
    i = device.tid(1)
    if i < out.shape[0] // 2:
        out[i] = float(matrix[i, 0]) + every_other[i] + out[2 * i] + out[i - 1]

# CHECK: strided(matrix: float64[:, ::1], every_other: float32[:], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   where no index of threads side by side is at an end, they read neighbours; else they begin again and ask at each access
# CHECK:   --> tests/golden/explain/strided.py:7:8
# CHECK:    |
# CHECK: 7  |     if i < out.shape[0] // 2:
# CHECK:    |        --------------------- branch: divergent
# CHECK: 8  |         out[i] = float(matrix[i, 0]) + every_other[i] + out[2 * i] + out[i - 1]
# CHECK:    |         ------ store: contiguous, float32
# CHECK:    |                        ------------ load: strided, float64, by a stride known at run time only
# CHECK:    |                                        -------------- load: strided, float32, by a stride known at run time only
# CHECK:    |                                                         ---------- load: strided, float32, 8 bytes apart
# CHECK:    |                                                                      ---------- load: contiguous, float32, lane by lane where an index turns out negative
# CHECK:    = help: matrix[i, 0]: the last axis is contiguous, and threads side by side go along another: keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
# CHECK:    = help: every_other[i]: the array may have gaps: pass one in C order, as numpy.ascontiguousarray makes it
# CHECK:    = help: out[2 * i]: let threads side by side take neighbours, and go on in steps of all of them: range(device.tid(1), n, device.grid_size(1))
