# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float32[::1], int)
from hetjit import device
def neighbours(x, out, n):
    i = device.tid(1)
    if i - 1 >= 0 and i < n:
        out[i] = x[i - 1] + x[i + 1]
        out[i] += x[i - n] + x[max(i - 2, 0)] + x[(i + 3) % n]
        out[n - 1 - i] = x[-1 - i]

# CHECK: neighbours(x: float32[::1], out: float32[::1], n: int) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/neighbours.py:7:8
# CHECK:    |
# CHECK: 7  |     if i - 1 >= 0 and i < n:
# CHECK:    |        ---------- branch: divergent
# CHECK:    |                       ----- branch: divergent
# CHECK: 8  |         out[i] = x[i - 1] + x[i + 1]
# CHECK:    |         ------ store: contiguous, float32
# CHECK:    |                  -------- load: contiguous, float32
# CHECK:    |                             -------- load: contiguous, float32
# CHECK: 9  |         out[i] += x[i - n] + x[max(i - 2, 0)] + x[(i + 3) % n]
# CHECK:    |         ------ load: contiguous, float32
# CHECK:    |         ------ store: contiguous, float32
# CHECK:    |                   -------- load: contiguous, float32, lane by lane where indices turn out to lie apart
# CHECK:    |                              ---------------- load: contiguous, float32, lane by lane where indices turn out to lie apart
# CHECK:    |                                                 -------------- load: contiguous, float32, lane by lane where indices turn out to lie apart
# CHECK: 10 |         out[n - 1 - i] = x[-1 - i]
# CHECK:    |         -------------- store: contiguous, float32, backwards, lane by lane where indices turn out to lie apart
# CHECK:    |                          --------- load: contiguous, float32, backwards, lane by lane where an index turns out negative
