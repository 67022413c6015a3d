# SHOW: amdgcn
# KERNEL: yes
# FOR: (float, array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32])
# ONLY: global_|fma|s_endpgm|\.amdhsa_kernel |kernarg_segment_size
from hetjit import device
def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]

# CHECK: 	global_load_dword v1, v0, s[2:3]
# CHECK: 	global_load_dword v2, v0, s[4:5]
# CHECK: 	v_fmac_f32_e32 v2, s0, v1
# CHECK: 	global_store_dword v0, v2, s[4:5]
# CHECK: 	s_endpgm
# CHECK: 	.amdhsa_kernel saxpy
# CHECK:         .value_kind:     hidden_global_offset_x
# CHECK:         .value_kind:     hidden_global_offset_y
# CHECK:         .value_kind:     hidden_global_offset_z
# CHECK:     .kernarg_segment_size: 312
