# SHOW: ptx
# FOR: (float32[::1])
# KERNEL: yes
def f(x):
    print("x is", x[0])
