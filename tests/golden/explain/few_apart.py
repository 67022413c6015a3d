# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, :, ::1], float32[:, :, ::1], float32[:, :, ::1])
# ONLY: ^plan |thread|this is|and where
from hetjit import device
def products(a, b, c):
    i = device.tid(1)
    if i < a.shape[0]:
        for row in range(4):
            for column in range(4):
                total = 0.0
                for k in range(4):
                    total += a[i, row, k] * b[i, k, column]
                c[i, row, column] = total

# CHECK:   thread by thread: each walks along memory of its own; vectors would take 2.6 times as long
# CHECK:   this is where a has 4 elements along axis 2, a has 4 elements along axis 1, b has 4 elements along axis 2, b has 4 elements along axis 1, c has 4 elements along axis 2, c has 4 elements along axis 1, as the indices suggest; else strides are not known
# CHECK:   and where c shares no memory with another array: a thread's reads need not wait for its writes
# CHECK:    = help: a[i, row, k]: the last axis is contiguous, and threads side by side go along another: let the threads of a block or a warp go along it together, or keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
# CHECK:    = help: b[i, k, column]: the last axis is contiguous, and threads side by side go along another: let the threads of a block or a warp go along it together, or keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
# CHECK:    = help: c[i, row, column]: the last axis is contiguous, and threads side by side go along another: let the threads of a block or a warp go along it together, or keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
