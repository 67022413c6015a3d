# KERNEL: yes
# FOR: (array[float32, 1, contiguous, readonly])
def f(x):
    x[0] = 1.0  #! E0403 cannot store to a read-only array
