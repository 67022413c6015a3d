# SHOW: ptx
# FOR: (float32[::1])
# KERNEL: yes
def f(x):
    assert x[0] >= 0, "negative"
    x[0] = 1
