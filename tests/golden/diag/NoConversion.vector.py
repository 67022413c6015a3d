# FOR: (float32)
from hetjit import device
def f(v):
    return device.int32x2("a", 1).x  #! E0209 cannot convert str to int32
