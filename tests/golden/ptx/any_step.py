# A step of which not even the sign is known: the loop counts what is left, in 32 bits, and the item steps by itself.
# SHOW: ptx
# KERNEL: yes
# FOR: (array[uint8, 1, contiguous, index32], int, int)
# ONLY: setp|selp|add|sub|max|min|bra|\$L
from hetjit import device
def mark(x, start, step):
    for i in range(start, x.shape[0], step):
        x[i] = 1

# CHECK: .address_size 64
# CHECK: 	setp.gt.s32 	%p1, %r5, 0;
# CHECK: 	selp.b32 	%r7, %r15, %r1, %p1;
# CHECK: 	selp.b32 	%r8, %r1, %r15, %p1;
# CHECK: 	setp.gt.s32 	%p2, %r8, %r7;
# CHECK: 	setp.ne.b32 	%p3, %r5, 0;
# CHECK: 	sub.s32 	%r9, %r8, %r7;
# CHECK: 	selp.b32 	%r10, %r9, 0, %p2;
# CHECK: 	selp.b32 	%r16, %r10, 0, %p3;
# CHECK: 	setp.eq.b32 	%p4, %r16, 0;
# CHECK: 	@%p4 bra 	$L__BB0_3;
# CHECK: 	min.u32 	%r2, %r6, %r16;
# CHECK: 	selp.b32 	%r3, %r6, %r11, %p1;
# CHECK: $L__BB0_2:
# CHECK: 	add.s32 	%r12, %r1, %r15;
# CHECK: 	min.u32 	%r13, %r15, %r12;
# CHECK: 	add.s64 	%rd4, %rd1, %rd3;
# CHECK: 	add.s32 	%r15, %r15, %r3;
# CHECK: 	max.u32 	%r14, %r16, %r2;
# CHECK: 	sub.s32 	%r4, %r14, %r2;
# CHECK: 	setp.gt.u32 	%p5, %r16, %r2;
# CHECK: 	@%p5 bra 	$L__BB0_2;
# CHECK: $L__BB0_3:
