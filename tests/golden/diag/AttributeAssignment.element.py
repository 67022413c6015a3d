# KERNEL: yes
# FOR: (float32x3[:])
def f(a):
    a[0].x = 1  #! E0315 cannot assign attribute 'x' of float32x3
