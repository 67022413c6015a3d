# SHOW: ptx
# KERNEL: yes
# ROW: HETX-MEM-1
# ROW: HETX-BS-1
# ROW: HETX-WS-2
# ROW: HETX-AT-2
# FOR: (float32[::1], float32[::1])
# ONLY: shared|bar|shfl|atom|fence|bra|BB
from hetjit import device
def block_sum(x, total):
    warps = device.shared_array(8, device.float32)
    i = device.tid(1)
    value = x[i] if i < x.shape[0] else device.float32(0)
    for distance in (16, 8, 4, 2, 1):
        value += device.shfl_down_sync(device.FULL_MASK, value, distance)
    if device.lane_id == 0:
        warps[device.thread_idx.x // device.warp_size] = value
    device.syncthreads()
    if device.thread_idx.x == 0:
        value = device.float32(0)
        for k in range(8):
            value += warps[k]
        device.atomic.add(total, 0, value)

# CHECK: // hetjit_$_shared_$_0 has been demoted
# CHECK: 	.shared .align 16 .b8 hetjit_$_shared_$_0[32];
# CHECK: 	@%p1 bra 	$L__BB0_2;
# CHECK: $L__BB0_2:
# CHECK: 	shfl.sync.down.b32 	%r6, %r35, 16, 31, -1;
# CHECK: 	shfl.sync.down.b32 	%r8, %r7, 8, 31, -1;
# CHECK: 	shfl.sync.down.b32 	%r10, %r9, 4, 31, -1;
# CHECK: 	shfl.sync.down.b32 	%r12, %r11, 2, 31, -1;
# CHECK: 	shfl.sync.down.b32 	%r14, %r13, 1, 31, -1;
# CHECK: 	@%p2 bra 	$L__BB0_3;
# CHECK: 	bra.uni 	$L__BB0_4;
# CHECK: $L__BB0_3:
# CHECK: 	mov.b64 	%rd12, hetjit_$_shared_$_0;
# CHECK: 	st.shared.b32 	[%rd4], %r2;
# CHECK: $L__BB0_4:
# CHECK: 	bar.sync 	0;
# CHECK: 	@%p3 bra 	$L__BB0_6;
# CHECK: 	ld.shared.b32 	%r20, [hetjit_$_shared_$_0];
# CHECK: 	ld.shared.b32 	%r22, [hetjit_$_shared_$_0+4];
# CHECK: 	ld.shared.b32 	%r24, [hetjit_$_shared_$_0+8];
# CHECK: 	ld.shared.b32 	%r26, [hetjit_$_shared_$_0+12];
# CHECK: 	ld.shared.b32 	%r28, [hetjit_$_shared_$_0+16];
# CHECK: 	ld.shared.b32 	%r30, [hetjit_$_shared_$_0+20];
# CHECK: 	ld.shared.b32 	%r32, [hetjit_$_shared_$_0+24];
# CHECK: 	ld.shared.b32 	%r34, [hetjit_$_shared_$_0+28];
# CHECK: 	atom.relaxed.gpu.global.add.f32 %r18, [%rd2], %r19;
# CHECK: $L__BB0_6:
