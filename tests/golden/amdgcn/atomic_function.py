# SHOW: amdgcn
# KERNEL: yes
# FOR: (float32[::1], float32)
# ONLY: atomic|_fence|wbl2|buffer_inv|s_cbranch
from hetjit import device


def sums(total, value):
    device.atomic.add(total, 0, value)

# CHECK: 	s_cbranch_execz .LBB0_2
# CHECK: 	global_atomic_add_f32 v0, v1, s[4:5]
