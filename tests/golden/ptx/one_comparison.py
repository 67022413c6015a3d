# `a > b if … else a < b` is one branch; an index below an extent less one is compared in 32 bits.
# SHOW: ptx
# KERNEL: yes
# FOR: (array[int32, 1, contiguous, index32], array[int32, 1, contiguous, index32])
# ONLY: setp|bra|selp|and.pred|or.pred|\$L
from hetjit import device
def sort(x, up):
    i = device.block_idx.x * 64 + device.thread_idx.x
    if i < x.shape[0] - 1:
        a, b = x[i], x[i + 1]
        if a > b if up[i] == 0 else a < b:
            x[i], x[i + 1] = b, a
        up[i] = 1

# CHECK: 	setp.ge.u32 	%p1, %r1, %r9;
# CHECK: 	@%p1 bra 	$L__BB0_4;
# CHECK: 	setp.eq.b32 	%p2, %r10, 0;
# CHECK: 	setp.ne.b32 	%p3, %r10, 0;
# CHECK: 	setp.gt.s32 	%p4, %r2, %r3;
# CHECK: 	setp.lt.s32 	%p5, %r2, %r3;
# CHECK: 	and.pred 	%p6, %p3, %p5;
# CHECK: 	and.pred 	%p7, %p2, %p4;
# CHECK: 	or.pred 	%p8, %p7, %p6;
# CHECK: 	@%p9 bra 	$L__BB0_3;
# CHECK: $L__BB0_3:
# CHECK: $L__BB0_4:
