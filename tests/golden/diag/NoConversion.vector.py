# FOR: (float32)
from hetjit import device
def f(v):
    return device.int32x2("a", 1).x  #! E0209 cannot convert the text

# CHECK: error[E0209]: cannot convert the text 'a' to int32
# CHECK:   --> tests/golden/diag/NoConversion.vector.py:4:27
# CHECK:    |
# CHECK: 4  |     return device.int32x2("a", 1).x  #! E0209 cannot convert the text
# CHECK:    |                           ^^^
# CHECK:    = help: Python reads no such number from it
