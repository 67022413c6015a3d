# FOR: (float32)
from hetjit import device
def f(v):
    return device.int32x2("a", 1).x  #! E0209 cannot convert str to int32

# CHECK: error[E0209]: cannot convert str to int32
# CHECK:   --> tests/golden/diag/NoConversion.vector.py:4:27
# CHECK:    |
# CHECK: 4  |     return device.int32x2("a", 1).x  #! E0209 cannot convert str to int32
# CHECK:    |                           ^^^
