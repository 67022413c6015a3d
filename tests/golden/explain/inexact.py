# SHOW: explain
# KERNEL: yes
# FOR: (int32[::1], float32[::1])
from hetjit import device
def inexact(n, out):
    i = device.tid(1)
    out[i] = n[i] / 3 + device.float32(n[i]) + (n[i] & 255) / 7

# CHECK: inexact(n: int32[::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/inexact.py:7:5
# CHECK:    |
# CHECK: 7  |     out[i] = n[i] / 3 + device.float32(n[i]) + (n[i] & 255) / 7
# CHECK:    |     ------ store: contiguous, float32
# CHECK:    |              ---- load: contiguous, int32
# CHECK:    |              -------- note: int32 becomes float32, exact up to 2**24 only
