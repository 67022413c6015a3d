# FOR: (float32[::1])
def f(x):
    return x.shpae[0]  #! E0309 has no attribute 'shpae'

# CHECK: error[E0309]: float32[::1] has no attribute 'shpae'
# CHECK:   --> tests/golden/diag/NoAttribute.py:3:12
# CHECK:    |
# CHECK: 3  |     return x.shpae[0]  #! E0309 has no attribute 'shpae'
# CHECK:    |            ^
# CHECK:    |            - this is float32[::1], from the argument 'x'
# CHECK:    = help: index it, convert it, or compute the value in a function of your own
