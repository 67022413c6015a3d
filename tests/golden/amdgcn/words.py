# Places of index32 arrays are unsigned numbers of 32 bits beside the array's address: no addition of 64 bits; constants are offsets of the instruction.
# SHOW: amdgcn
# KERNEL: yes
# FOR: (array[float32, 2, contiguous, index32], array[float32, 2, contiguous, index32])
# ONLY: global_|lshl|lshlrev|_u64
from hetjit import device
def kernel(x, y):
    j, i = device.tid(2)
    if 0 < i and i < x.shape[0] - 1 and 0 < j and j < x.shape[1] - 1:
        total = 0.0
        for k in range(x.shape[0]):
            total += x[k, j - 1] - x[k, j + 1]
        y[i, j] = total

# CHECK: 	v_lshlrev_b32_e32 v3, 2, v1
# CHECK: 	s_lshl_b32 s4, s7, 2
# CHECK: 	global_load_dword v4, v3, s[2:3] offset:-4
# CHECK: 	global_load_dword v5, v3, s[2:3] offset:4
# CHECK: 	v_add_lshl_u32 v0, v0, v1, 2
# CHECK: 	global_store_dword v0, v2, s[2:3]
# CHECK:         .value_kind:     hidden_global_offset_x
# CHECK:         .value_kind:     hidden_global_offset_y
# CHECK:         .value_kind:     hidden_global_offset_z
