# KERNEL: yes
# FOR: (float16[:], float32[:])
def f(a, out):
    total = 0.0
    for v in a:
        total += v  #! W0712 'total' is a sum in float16, which no longer grows when it is 2048 times what is added
    out[0] = total

# EDITED: compiles

# CHECK: warning[W0712]: 'total' is a sum in float16, which no longer grows when it is 2048 times what is added
# CHECK:   --> tests/golden/diag/NarrowSum.py:6:9
# CHECK:    |
# CHECK: 6  |         total += v  #! W0712 'total' is a sum in float16, which no longer grows when it is 2048 times what is added
# CHECK:    |         ^^^^^^^^^^
# CHECK:    = help: sum in float32: device.float32(v)
# CHECK: 6  +         total += device.float32(v)  #! W0712 'total' is a sum in float16, which no longer grows when it is 2048 times what is added
