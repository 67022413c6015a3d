# SHOW: amdgcn
# FOR: (float32[::1])
# KERNEL: yes
# ONLY: ^\s+(s_|v_|global_|flat_|buffer_|ds_)|hetjit
def f(x):
    assert x[0] >= 0, "negative"
    x[0] = 1
