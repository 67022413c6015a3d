# SHOW: amdgcn
# KERNEL: yes
# ROW: HETX-MEM-1
# ROW: HETX-BS-1
# ROW: HETX-WS-2
# ROW: HETX-AT-2
# FOR: (float32[::1], float32[::1])
# ONLY: ds_|s_barrier|global_atomic|buffer_|_exec|BB
from hetjit import device
def block_sum(x, total):
    warps = device.shared_array(4, device.float32)
    i = device.tid(1)
    value = x[i] if i < x.shape[0] else device.float32(0)
    for distance in (32, 16, 8, 4, 2, 1):
        value += device.shfl_down_sync(device.FULL_MASK, value, distance)
    if device.lane_id == 0:
        warps[device.thread_idx.x // device.warp_size] = value
    device.syncthreads()
    if device.thread_idx.x == 0:
        value = device.float32(0)
        for k in range(4):
            value += warps[k]
        device.atomic.add(total, 0, value)

# CHECK: 	s_cbranch_execz .LBB0_2
# CHECK: .LBB0_2:
# CHECK: 	ds_bpermute_b32 v4, v4, v1
# CHECK: 	ds_bpermute_b32 v4, v5, v1
# CHECK: 	ds_bpermute_b32 v4, v5, v1
# CHECK: 	ds_bpermute_b32 v4, v5, v1
# CHECK: 	ds_bpermute_b32 v4, v5, v1
# CHECK: 	ds_bpermute_b32 v2, v2, v1
# CHECK: 	s_cbranch_execz .LBB0_4
# CHECK: 	ds_write_b32 v2, v1
# CHECK: .LBB0_4:
# CHECK: 	s_barrier
# CHECK: 	s_cbranch_execz .LBB0_7
# CHECK: 	s_cbranch_execz .LBB0_7
# CHECK: 	ds_read_b128 v[0:3], v4
# CHECK: 	global_atomic_add_f32 v4, v0, s[0:1]
# CHECK: .LBB0_7:
