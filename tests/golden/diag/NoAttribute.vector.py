# FOR: (float32)
from hetjit import device
def f(v):
    return device.float32x2(v, v).z  #! E0309 float32x2 has no attribute 'z'

# CHECK: error[E0309]: float32x2 has no attribute 'z'
# CHECK:   --> tests/golden/diag/NoAttribute.vector.py:4:12
# CHECK:    |
# CHECK: 4  |     return device.float32x2(v, v).z  #! E0309 float32x2 has no attribute 'z'
# CHECK:    |            ^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    = help: its lanes are .x, .y
