# KERNEL: yes
# FOR: (float32x3[:])
def f(a):
    a[0][0] = 1  #! E0408 the items of float32x3 cannot be assigned
