# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float32[::1], float32[::1], int, int)
# FOR: (int16[::1], int16[::1], int32[::1], int, int)
# ONLY: thread by|rows of|load: contiguous
from hetjit import device
def window_sum(x, taps, out, n, count):
    i = device.tid(1)
    if i < n:
        total = 0
        for k in range(count):
            total += x[i + k] * taps[k]
        out[i] = total

# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:    |                      -------- load: contiguous, float32, lane by lane where indices turn out to lie apart
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:    |                      -------- load: contiguous, int16, lane by lane where indices turn out to lie apart
