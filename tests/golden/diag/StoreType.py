# KERNEL: yes
# FOR: (int32[::1], float32)
def f(x, v):
    x[0] = v * 0.5  #! E0404 cannot store float

# CHECK: error[E0404]: cannot store float32 in an array of int32
# CHECK:   --> tests/golden/diag/StoreType.py:4:12
# CHECK:    |
# CHECK: 4  |     x[0] = v * 0.5  #! E0404 cannot store float
# CHECK:    |            ^^^^^^^
# CHECK:    = help: say how to round: device.int32(x) truncates, round(x) rounds
# CHECK: 4  +     x[0] = device.int32(v * 0.5)  #! E0404 cannot store float

# EDITED: compiles
