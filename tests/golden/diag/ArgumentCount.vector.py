# FOR: (float32)
from hetjit import device
def f(v):
    return device.float32x3(v, v).x  #! E0304 'float32x3' takes 3 arguments, but 2 are given

# CHECK: error[E0304]: 'float32x3' takes 3 arguments, but 2 are given
# CHECK:   --> tests/golden/diag/ArgumentCount.vector.py:4:12
# CHECK:    |
# CHECK: 4  |     return device.float32x3(v, v).x  #! E0304 'float32x3' takes 3 arguments, but 2 are given
# CHECK:    |            ^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    = help: pass as many as it takes; '*' spreads a tuple: f(*t)
