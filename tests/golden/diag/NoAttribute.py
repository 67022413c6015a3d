# FOR: (float32[::1])
def f(x):
    return x.shpae[0]  #! E0309 has no attribute 'shpae'

# CHECK: error[E0309]: float32[::1] has no attribute 'shpae'
# CHECK:   --> tests/golden/diag/NoAttribute.py:3:12
# CHECK:    |
# CHECK: 3  |     return x.shpae[0]  #! E0309 has no attribute 'shpae'
# CHECK:    |            ^
# CHECK:    |            - this is float32[::1], from the argument 'x'
# CHECK:    = help: did you mean 'shape'?
# CHECK: 3  +     return x.shape[0]  #! E0309 has no attribute 'shpae'

# EDITED: compiles
