# A tile's neighbours, in rows above and below too, are constant offsets of one address, since its rows' length is known; so are the neighbours in a
# row, where loops round them are written out, whatever its length is.
# SHOW: ptx
# KERNEL: yes
# FOR: (array[float32, 2, contiguous, index32], array[float32, 2, contiguous, index32])
# ONLY: ld\.shared|ld\.global|mad|mul
from hetjit import device
def around(u, out):
    tile = device.shared_array((18, 18), device.float32)
    x, y = device.thread_idx.x, device.thread_idx.y
    tile[y + 1, x + 1] = u[y, x]
    device.syncthreads()
    total = tile[y, x + 1] + tile[y + 2, x + 1] + tile[y + 1, x] + tile[y + 1, x + 2]
    for d in range(3):
        total += u[y, x + d]
    out[y, x] = total

# CHECK: 	mad.lo.s32 	%r4, %r1, %r3, %r2;
# CHECK: 	mul.wide.u32 	%rd3, %r4, 4;
# CHECK: 	ld.global.b32 	%r5, [%rd4];
# CHECK: 	mad.lo.s32 	%r6, %r3, 18, %r2;
# CHECK: 	mul.wide.u32 	%rd5, %r6, 4;
# CHECK: 	ld.shared.b32 	%r7, [%rd7+4];
# CHECK: 	ld.shared.b32 	%r8, [%rd7+148];
# CHECK: 	ld.shared.b32 	%r10, [%rd7+72];
# CHECK: 	ld.shared.b32 	%r12, [%rd7+80];
# CHECK: 	ld.global.b32 	%r14, [%rd4];
# CHECK: 	ld.global.b32 	%r16, [%rd4+4];
# CHECK: 	ld.global.b32 	%r18, [%rd4+8];
# CHECK: 	mad.lo.s32 	%r21, %r20, %r3, %r2;
# CHECK: 	mul.wide.u32 	%rd10, %r21, 4;
