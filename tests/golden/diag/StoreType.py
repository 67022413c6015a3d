# KERNEL: yes
# FOR: (int32[::1], float32)
def f(x, v):
    x[0] = v * 0.5  #! E0404 cannot store float
