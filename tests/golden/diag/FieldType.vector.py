# FOR: (float32)
from hetjit import device
def f(v):
    w = device.int32x2(1, 2)
    w.y = v  #! E0340 a lane of int32x2 is int32, not float32
    return w.x

# CHECK: error[E0340]: a lane of int32x2 is int32, not float32
# CHECK:   --> tests/golden/diag/FieldType.vector.py:5:11
# CHECK:    |
# CHECK: 5  |     w.y = v  #! E0340 a lane of int32x2 is int32, not float32
# CHECK:    |           ^
# CHECK:    |           - this is float32, from the argument 'v'
# CHECK:    = help: convert it: device.int32(x)
# CHECK: 5  +     w.y = device.int32(v)  #! E0340 a lane of int32x2 is int32, not float32

# EDITED: compiles
