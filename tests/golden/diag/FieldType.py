# FOR: (float32)
from hetjit import device
@device.struct
class Point:
    x: int
    y: int
def f(v):
    p = Point(1, v)  #! E0340 the field 'y' of Point is int, not float32
    return p.x
