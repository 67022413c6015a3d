# SHOW: ptx
# KERNEL: yes
# FOR: (array[float32, 2, contiguous, index32], array[float32, 2, contiguous, index32])
# ONLY: mul|mad|shl|setp|selp|min|max|ld\.global|st\.global
from hetjit import device
def inner_view(a, out):
    y, x = device.tid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = a[1:-1, 1:-1][y, x]

# CHECK: 	mad.lo.s32 	%r1, %r4, %r5, %r6;
# CHECK: 	mad.lo.s32 	%r10, %r7, %r8, %r9;
# CHECK: 	setp.ge.u32 	%p1, %r1, %r2;
# CHECK: 	setp.ge.u32 	%p2, %r10, %r3;
# CHECK: 	setp.eq.b32 	%p4, %r12, 0;
# CHECK: 	setp.ne.b32 	%p5, %r11, 0;
# CHECK: 	selp.b32 	%r13, 1, 0, %p5;
# CHECK: 	selp.b32 	%r14, 0, %r11, %p4;
# CHECK: 	mul.wide.u32 	%rd7, %r15, 4;
# CHECK: 	mad.lo.s32 	%r16, %r11, %r1, %r10;
# CHECK: 	mul.wide.s32 	%rd9, %r16, 4;
# CHECK: 	ld.global.b32 	%r17, [%rd10];
# CHECK: 	mad.lo.s32 	%r18, %r3, %r1, %r10;
# CHECK: 	mul.wide.u32 	%rd11, %r18, 4;
# CHECK: 	st.global.b32 	[%rd12], %r17;
