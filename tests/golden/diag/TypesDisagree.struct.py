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
