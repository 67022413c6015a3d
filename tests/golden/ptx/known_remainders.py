# Remainders and quotients by powers of two: exact, in a few instructions, with no loop of the library's.
# SHOW: ptx
# KERNEL: yes
# FOR: (array[float32, 1, contiguous, index32], array[float32, 2, contiguous, index32])
# ONLY: \.f32
from hetjit import device
def kernel(x, out):
    i = device.thread_idx.x
    out[0, i] = x[i] % 1.0
    out[1, i] = x[i] % 4.0
    out[2, i] = x[i] // 0.25

# CHECK: 	cvt.rmi.f32.f32 	%r4, %r3;
# CHECK: 	sub.rn.f32 	%r5, %r3, %r4;
# CHECK: 	mul.rn.f32 	%r7, %r6, 0f3E800000;
# CHECK: 	cvt.rzi.f32.f32 	%r8, %r7;
# CHECK: 	mul.rn.f32 	%r9, %r8, 0f40800000;
# CHECK: 	sub.rn.f32 	%r10, %r6, %r9;
# CHECK: 	setp.lt.f32 	%p1, %r10, 0f00000000;
# CHECK: 	add.rn.f32 	%r11, %r10, 0f40800000;
# CHECK: 	selp.f32 	%r12, %r11, %r10, %p1;
# CHECK: 	sub.rn.f32 	%r15, %r14, %r14;
# CHECK: 	mul.rn.f32 	%r16, %r14, 0f40800000;
# CHECK: 	cvt.rmi.f32.f32 	%r17, %r16;
# CHECK: 	sub.rn.f32 	%r18, %r17, %r15;
