# Of equal calls one is left before the vendor's library comes in: the argument is divided by a quarter turn once.
# SHOW: ptx
# KERNEL: yes
# FOR: (array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32])
# ONLY: 0f3F22F983
import math
from hetjit import device
def waves(t, out):
    i = device.tid(1)
    out[i] = math.sin(t[i]) * math.sin(t[i]) + 0.5 * math.sin(t[i])

# CHECK: 	mul.rn.f32 	%r10, %r1, 0f3F22F983;
