# SHOW: ptx
# KERNEL: yes
# FOR: (float32[::1])
# ONLY: sqrt|ex2|call
import math
from hetjit import device
def f(x):
    i = device.tid(1)
    x[i] = math.sqrt(x[i])

# CHECK: 	sqrt.rn.f32 	%r6, %r5;
