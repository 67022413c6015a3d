# FOR: (float32)
from hetjit import device
@device.struct
class Point:
    left: float
    right: float
def f(v):
    return Point(v, v).rigth  #! E0309 Point has no attribute 'rigth'

# CHECK: error[E0309]: Point has no attribute 'rigth'
# CHECK:   --> tests/golden/diag/NoAttribute.struct.py:8:12
# CHECK:    |
# CHECK: 8  |     return Point(v, v).rigth  #! E0309 Point has no attribute 'rigth'
# CHECK:    |            ^^^^^^^^^^^
# CHECK:    = help: did you mean 'right'?
# CHECK: 8  +     return Point(v, v).right  #! E0309 Point has no attribute 'rigth'

# EDITED: compiles
