# FOR: (float32)
from hetjit import device
@device.struct
class Point:
    x: float
    y: float
def f(v):
    p = Point(1, v)
    p.q = v  #! E0315 cannot assign attribute 'q' of Point
    return p.x

# CHECK: error[E0315]: cannot assign attribute 'q' of Point
# CHECK:   --> tests/golden/diag/AttributeAssignment.dynamic.py:9:5
# CHECK:    |
# CHECK: 9  |     p.q = v  #! E0315 cannot assign attribute 'q' of Point
# CHECK:    |     ^
# CHECK:    |     - this is Point, from line 8
# CHECK:    = help: its fields are x, y
