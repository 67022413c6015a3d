# FOR: (float32)
from hetjit import device
@device.struct
class Point:
    x: float
@device.struct
class Size:
    x: float
def f(v):
    p = Point(v)
    if v > 1:
        p = Size(v)
    return p.x  #! E0202 'p' is Point on one path and Size on another

# CHECK: error[E0202]: 'p' is Point on one path and Size on another
# CHECK:   --> tests/golden/diag/TypesDisagree.struct.py:13:12
# CHECK:    |
# CHECK: 10 |     p = Point(v)
# CHECK:    |         -------- 'p' is Point here
# CHECK: ...
# CHECK: 12 |         p = Size(v)
# CHECK:    |             ------- 'p' is Size here
# CHECK: 13 |     return p.x  #! E0202 'p' is Point on one path and Size on another
# CHECK:    |            ^
# CHECK:    = help: give 'p' one type on all paths, or use two names
