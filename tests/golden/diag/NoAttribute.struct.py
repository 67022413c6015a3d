# FOR: (float32)
from hetjit import device
@device.struct
class Point:
    left: float
    right: float
def f(v):
    return Point(v, v).rigth  #! E0309 Point has no attribute 'rigth'
