# FOR: (float32)
from hetjit import device
def f(v):
    return device.float32x2(v, v).z  #! E0309 float32x2 has no attribute 'z'
