# FOR: (float32)
from hetjit import device
def f(v):
    return device.float32x2(v, v) < device.float32x2(v, 1)  #! E0205 cannot compare float32x2 and float32x2 with '<'

# CHECK: error[E0205]: cannot compare float32x2 and float32x2 with '<'
# CHECK:   --> tests/golden/diag/NoComparison.vector.py:4:35
# CHECK:    |
# CHECK: 4  |     return device.float32x2(v, v) < device.float32x2(v, 1)  #! E0205 cannot compare float32x2 and float32x2 with '<'
# CHECK:    |                                   ^
# CHECK:    |            ---------------------- this is float32x2
# CHECK:    |                                     ---------------------- this is float32x2
# CHECK:    = help: compare their lanes one by one
