# KERNEL: yes
# FOR: (float32[::1])
def f(x):
    return x[0]  #! E0211 a kernel returns None, but 'f' returns float32

# CHECK: error[E0211]: a kernel returns None, but 'f' returns float32
# CHECK:   --> tests/golden/diag/KernelReturnsValue.py:4:5
# CHECK:    |
# CHECK: 4  |     return x[0]  #! E0211 a kernel returns None, but 'f' returns float32
# CHECK:    |     ^^^^^^^^^^^
# CHECK:    = help: store the result in an array, or make this a device.func
