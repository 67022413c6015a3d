# FOR: (float32)
from hetjit import device
def f(v):
    w = device.int32x2(1, 2)
    w.y = v  #! E0340 a lane of int32x2 is int32, not float32
    return w.x
