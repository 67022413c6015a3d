# SHOW: explain
# KERNEL: yes
# FOR: (int32[:, ::1], float, int)
# What its loop does gains nothing: no vector goes through it twice.
from hetjit import device
def turns_until(out, step, most):
    i = device.tid(1)
    w = out.shape[1]
    if i < out.size:
        row, column = i // w, i % w
        x, n = step * column, 0
        while n < most and x < 2.0:
            x, n = x * x + step * row, n + 1
        out[row, column] = n

# CHECK: turns_until(out: int32[:, ::1], step: float, most: int) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   where threads side by side lie between two multiples of what their place is divided by, they are neighbours; else each reads and writes by itself
# CHECK:   2 vectors side by side, where a row has as many: threads leave a loop at different times
# CHECK:   --> tests/golden/explain/one_period_alone.py:9:8
# CHECK:    |
# CHECK: 9  |     if i < out.size:
# CHECK:    |        ------------ branch: divergent
# CHECK: ...
# CHECK: 11 |         x, n = step * column, 0
# CHECK:    |                ------------- note: int64 becomes float32, exact up to 2**24 only
# CHECK: 12 |         while n < most and x < 2.0:
# CHECK:    |               -------- loop: divergent
# CHECK:    |                            ------- branch: divergent, leaves the loop
# CHECK: 13 |             x, n = x * x + step * row, n + 1
# CHECK:    |                            ---------- note: int64 becomes float32, exact up to 2**24 only
# CHECK: 14 |         out[row, column] = n
# CHECK:    |         ---------------- store: contiguous, int32
