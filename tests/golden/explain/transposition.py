# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, ::1], float32[:, ::1])
# FOR: (uint8[:, ::1], complex128[:, ::1])
# FOR: (array[float32, 2, index32], array[float32, 2, contiguous, index32])
# ONLY: ^plan |along|together|first axis
from hetjit import device
def transposition(a, out):
    x, y = device.tid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = a[x, y]

# CHECK:   along x, through the whole grid: blocks of any shape are the same to it; 16 rows together, as each line of an array that lies across them is used by all
# CHECK:    = help: a[x, y]: the last axis is contiguous, and threads side by side go along another: swap the indices, or their names, as in 'x, y = device.tid(2)' and a[y, x]
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it; 64 rows together, as each line of an array that lies across them is used by all
# CHECK:    = help: a[x, y]: the last axis is contiguous, and threads side by side go along another: swap the indices, or their names, as in 'x, y = device.tid(2)' and a[y, x]
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
