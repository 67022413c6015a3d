# KERNEL: yes
# FOR: (float32[::1])
def f(x):
    return x[0]  #! E0211 a kernel returns None, but 'f' returns float32
