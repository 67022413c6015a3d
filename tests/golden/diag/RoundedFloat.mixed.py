# FOR: (float64[::1], int32[::1])
# KERNEL: yes
def tenths(x, n):
    x[0] = n[0] * 0.1  #! W0711 a Python float made of an integer of a fixed format is rounded to float32 before it meets float64

# CHECK: warning[W0711]: a Python float made of an integer of a fixed format is rounded to float32 before it meets float64
# CHECK:   --> tests/golden/diag/RoundedFloat.mixed.py:4:12
# CHECK:    |
# CHECK: 4  |     x[0] = n[0] * 0.1  #! W0711 a Python float made of an integer of a fixed format is rounded to float32 before it meets float64
# CHECK:    |            ^^^^^^^^^^
# CHECK:    = help: convert the integer first: device.float64(n) * 0.1
