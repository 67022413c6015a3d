# Quotients and remainders round down. By a number whose sign is not known magnitudes are divided, once for both, and the signs are put right at the end.
# SHOW: ptx
# KERNEL: yes
# FOR: (array[int32, 1, contiguous, index32], int32)
# ONLY: div|rem|abs|selp|neg|sub|setp|max
from hetjit import device
def parts(x, width):
    i = device.tid(1)
    if 2 * i + 1 < x.shape[0]:
        x[2 * i] = i // width
        x[2 * i + 1] = i % width

# CHECK: 	setp.ge.s32 	%p1, %r4, %r1;
# CHECK: 	abs.s32 	%r9, %r5;
# CHECK: 	setp.eq.b32 	%p2, %r5, 0;
# CHECK: 	max.u32 	%r10, %r9, 1;
# CHECK: 	div.u32 	%r11, %r2, %r10;
# CHECK: 	sub.s32 	%r13, %r2, %r12;
# CHECK: 	setp.ne.b32 	%p3, %r2, %r12;
# CHECK: 	setp.lt.s32 	%p4, %r5, 0;
# CHECK: 	selp.b32 	%r14, -1, 0, %p3;
# CHECK: 	sub.s32 	%r15, %r14, %r11;
# CHECK: 	selp.b32 	%r16, %r15, %r11, %p4;
# CHECK: 	selp.b32 	%r17, 0, %r16, %p2;
# CHECK: 	sub.s32 	%r20, %r10, %r13;
# CHECK: 	selp.b32 	%r21, %r20, %r13, %p3;
# CHECK: 	selp.b32 	%r22, %r21, %r13, %p4;
# CHECK: 	neg.s32 	%r23, %r22;
# CHECK: 	selp.b32 	%r24, %r23, %r13, %p4;
