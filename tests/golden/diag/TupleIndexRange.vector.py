# FOR: (float32)
from hetjit import device
def f(v):
    return device.float32x3(v, v, v)[3]  #! E0407 index 3 is out of range for float32x3

# CHECK: error[E0407]: index 3 is out of range for float32x3
# CHECK:   --> tests/golden/diag/TupleIndexRange.vector.py:4:38
# CHECK:    |
# CHECK: 4  |     return device.float32x3(v, v, v)[3]  #! E0407 index 3 is out of range for float32x3
# CHECK:    |                                      ^
# CHECK:    = help: count from 0 to one less than there are, or from the end: t[-1]
