# SHOW: amdgcn
# KERNEL: yes
# FOR: (float, array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32])
# ONLY: global_|fma|s_endpgm|\.amdhsa_kernel |kernarg_segment_size
from hetjit import device
def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]
