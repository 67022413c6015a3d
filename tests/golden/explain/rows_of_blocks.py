# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, ::1],)
from hetjit import device
def by_column(a):
    i, j = device.tid(2)
    if i < a.shape[0] and j < a.shape[1]:
        a[i, j] = device.thread_idx.y

# CHECK: by_column(a: float32[:, ::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   --> tests/golden/explain/rows_of_blocks.py:7:8
# CHECK:    |
# CHECK: 7  |     if i < a.shape[0] and j < a.shape[1]:
# CHECK:    |        -------------- branch: divergent
# CHECK:    |                           -------------- branch: uniform
# CHECK: 8  |         a[i, j] = device.thread_idx.y
# CHECK:    |         ------- store: strided, float32, by a stride known at run time only
# CHECK:    = help: a[i, j]: the last axis is contiguous, and threads side by side go along another: swap the indices, or their names, as in 'x, y = device.tid(2)' and a[y, x]
