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
