# fastmath=True takes the GPU's own functions and divisions, as nvcc's -use_fast_math does.
# SHOW: ptx
# KERNEL: yes
# FASTMATH: yes
# FOR: (array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32])
# ONLY: approx
import math
from hetjit import device
def functions(x, out):
    i = device.tid(1)
    v = x[i]
    out[i] = math.sin(v) + math.exp(v) / math.log(v)

# CHECK: 	sin.approx.f32 	%r6, %r5;
# CHECK: 	ex2.approx.f32 	%r8, %r7;
# CHECK: 	lg2.approx.f32 	%r9, %r5;
# CHECK: 	div.approx.f32 	%r11, %r8, %r10;
