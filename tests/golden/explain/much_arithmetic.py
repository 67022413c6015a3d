# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float32[::1])
import math
from hetjit import device
def much_arithmetic(x, out):
    i = device.tid(1)
    out[i] = math.erf(math.exp(x[i]) - math.sin(x[i]))

# CHECK: much_arithmetic(x: float32[::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   2 vectors side by side, where a row has as many: it computes much for what it reads and writes
# CHECK:   --> tests/golden/explain/much_arithmetic.py:8:5
# CHECK:    |
# CHECK: 8  |     out[i] = math.erf(math.exp(x[i]) - math.sin(x[i]))
# CHECK:    |     ------ store: contiguous, float32
# CHECK:    |                                ---- load: contiguous, float32
