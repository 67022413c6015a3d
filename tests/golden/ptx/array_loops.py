# The loops that go through a local array are written out, though one's count is another one's turn: the array lies in registers, and nothing in memory.
# SHOW: ptx
# KERNEL: yes
# FOR: (array[float32, 2, contiguous, index32], array[float32, 1, contiguous, index32])
# ONLY: local|sqrt|fma
from hetjit import device
import math
def factor(m, out):
    lower = device.local_array((3, 3), device.float32)
    for r in range(3):
        for c in range(r + 1):
            total = m[r, c]
            for k in range(c):
                total -= lower[r, k] * lower[c, k]
            lower[r, c] = math.sqrt(total) if r == c else total / lower[c, c]
    for r in range(3):
        out[r] = lower[r, r]

# CHECK: 	sqrt.rn.f32 	%r3, %r2;
# CHECK: 	fma.rn.f32 	%r8, %r7, %r5, %r6;
# CHECK: 	sqrt.rn.f32 	%r9, %r8;
# CHECK: 	fma.rn.f32 	%r14, %r13, %r5, %r12;
# CHECK: 	fma.rn.f32 	%r17, %r13, %r11, %r16;
# CHECK: 	fma.rn.f32 	%r19, %r18, %r15, %r17;
# CHECK: 	sqrt.rn.f32 	%r20, %r19;
