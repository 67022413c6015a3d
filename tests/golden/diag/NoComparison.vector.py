# FOR: (float32)
from hetjit import device
def f(v):
    return device.float32x2(v, v) < device.float32x2(v, 1)  #! E0205 cannot compare float32x2 and float32x2 with '<'
