# FOR: (float32)
from hetjit import device
def f(v):
    return device.float32x3(v, v, v)[3]  #! E0407 index 3 is out of range for float32x3
