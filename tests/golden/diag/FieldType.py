# FOR: (float32)
from hetjit import device
@device.struct
class Point:
    x: int
    y: int
def f(v):
    p = Point(1, v)  #! E0340 the field 'y' of Point is int, not float32
    return p.x

# CHECK: error[E0340]: the field 'y' of Point is int, not float32
# CHECK:   --> tests/golden/diag/FieldType.py:8:18
# CHECK:    |
# CHECK: 8  |     p = Point(1, v)  #! E0340 the field 'y' of Point is int, not float32
# CHECK:    |                  ^
# CHECK:    |                  - this is float32, from the argument 'v'
# CHECK:    = help: convert it: int(x)
# CHECK: 8  +     p = Point(1, int(v))  #! E0340 the field 'y' of Point is int, not float32

# EDITED: compiles
