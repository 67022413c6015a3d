# SHOW: amdgcn
# KERNEL: yes
# ROW: HETX-AT-2
# ROW: HETX-AT-4
# ROW: HETX-ORD-1
# ROW: HETX-SCO-1
# FOR: (int32[::1], float32[::1])
# ONLY: atomic|ds_|buffer_|_exec|BB
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

# CHECK: 	.globl	atomics
# CHECK: 	.type	atomics,@function
# CHECK: atomics:
# CHECK: 	ds_write_b32 v0, v1
# CHECK: 	ds_add_u32 v2, v3
# CHECK: 	s_cbranch_execz .LBB0_2
# CHECK: 	buffer_wbl2 sc0 sc1
# CHECK: 	global_atomic_add v1, v2, s[2:3] sc1
# CHECK: 	buffer_inv sc0 sc1
# CHECK: .LBB0_2:
# CHECK: 	s_cbranch_execz .LBB0_4
# CHECK: 	buffer_wbl2 sc1
# CHECK: 	global_atomic_sub v2, v3, s[2:3] offset:4
# CHECK: .LBB0_4:
# CHECK: .LBB0_5:
# CHECK: 	global_atomic_cmpswap v4, v6, v[4:5], s[0:1] offset:8 sc0
# CHECK: 	buffer_inv sc1
# CHECK: 	s_cbranch_execnz .LBB0_5
# CHECK: 	global_atomic_cmpswap v1, v5, v[4:5], s[2:3] offset:16 sc0
# CHECK: 	buffer_inv sc1
# CHECK: 	ds_read_b32 v0, v0
# CHECK: 	.amdhsa_kernel atomics
# CHECK: 	.size	atomics, .Lfunc_end0-atomics
# CHECK: 	.set atomics.num_vgpr, 7
# CHECK: 	.set atomics.num_agpr, 0
# CHECK: 	.set atomics.numbered_sgpr, 8
# CHECK: 	.set atomics.num_named_barrier, 0
# CHECK: 	.set atomics.private_seg_size, 0
# CHECK: 	.set atomics.uses_vcc, 1
# CHECK: 	.set atomics.uses_flat_scratch, 0
# CHECK: 	.set atomics.has_dyn_sized_stack, 0
# CHECK: 	.set atomics.has_recursion, 0
# CHECK: 	.set atomics.has_indirect_call, 0
# CHECK:     .name:           atomics
# CHECK:     .symbol:         atomics.kd
