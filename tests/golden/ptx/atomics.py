# SHOW: ptx
# KERNEL: yes
# ROW: HETX-AT-2
# ROW: HETX-AT-4
# ROW: HETX-ORD-1
# ROW: HETX-SCO-1
# FOR: (int32[::1], float32[::1])
# ONLY: atom|fence|ld\.(relaxed|acquire)|st\.(relaxed|release|shared)|BB
from hetjit import device
def atomics(a, x):
    counts = device.shared_array(4, device.int32)
    i = device.thread_idx.x
    counts[i] = 0
    device.syncthreads()
    device.atomic.add(counts, a[i], 1, memory="relaxed", scope="block")
    device.AtomicRef(a, 0).add(1)
    device.atomic.sub(a, 1, 1, memory="release", scope="device")
    device.atomic.max(x, 2, 1.5, memory="acquire", scope="device")
    device.atomic.store(a, 3, device.atomic.cas(a, 4, 0, 1) + device.atomic.load(a, 5, memory="acquire"))
    device.threadfence("acq_rel", "block")
    a[i] = counts[i]

# CHECK: 	// .globl	atomics
# CHECK: .visible .entry atomics(
# CHECK: 	.param .align 8 .b8 atomics_param_0[24],
# CHECK: 	.param .align 8 .b8 atomics_param_1[24]
# CHECK: 	ld.param.b64 	%rd7, [atomics_param_0];
# CHECK: 	ld.param.b64 	%rd8, [atomics_param_1];
# CHECK: 	st.shared.b32 	[%rd2], 0;
# CHECK: 	atom.relaxed.cta.shared.add.u32 %r2, [%rd4], %r3;
# CHECK: 	fence.sc.sys;
# CHECK: 	atom.acquire.sys.global.add.u32 %r4, [%rd5], %r3;
# CHECK: 	atom.release.gpu.global.add.u32 %r5, [%rd6], %r6;
# CHECK: 	ld.relaxed.gpu.global.b32 	%r16, [%rd1+8];
# CHECK: $L__BB0_1:
# CHECK: 	atom.acquire.gpu.global.cas.b32 	%r1, [%rd1+8], %r16, %r11;
# CHECK: 	@%p2 bra 	$L__BB0_1;
# CHECK: 	atom.relaxed.gpu.global.cas.b32 	%r12, [%rd5+16], 0, 1;
# CHECK: 	ld.acquire.gpu.global.b32 	%r13, [%rd5+20];
# CHECK: 	st.relaxed.gpu.global.b32 	[%rd5+12], %r14;
# CHECK: 	fence.acq_rel.cta;
