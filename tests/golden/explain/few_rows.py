# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, :, ::1], float32[:, ::1], float32[:, ::1])
# ONLY: ^plan |load|store|thread|this is
from hetjit import device
def apply(matrices, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        for row in range(3):
            total = 0.0
            for k in range(3):
                total += matrices[i, row, k] * x[i, k]
            y[i, row] = total

# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   this is where matrices has 3 elements along axis 2, matrices has 3 elements along axis 1, x has 3 elements along axis 1, y has 3 elements along axis 1, as the indices suggest; else strides are not known
# CHECK:    |                          ------------------- load: strided, float32, 36 bytes apart
# CHECK:    |                                                ------- load: strided, float32, 12 bytes apart
# CHECK:    |             --------- store: strided, float32, 12 bytes apart
# CHECK:    = help: matrices[i, row, k]: the last axis is contiguous, and threads side by side go along another: let the threads of a block or a warp go along it together, or keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
# CHECK:    = help: x[i, k]: the last axis is contiguous, and threads side by side go along another: let the threads of a block or a warp go along it together, or keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
# CHECK:    = help: y[i, row]: the last axis is contiguous, and threads side by side go along another: let the threads of a block or a warp go along it together, or keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
