# FOR: (float32[::1])
def f(x):
    return x.flags  #! E0405 arrays have no 'flags'

# CHECK: error[E0405]: arrays have no 'flags' in a compiled function
# CHECK:   --> tests/golden/diag/ArrayAttribute.py:3:12
# CHECK:    |
# CHECK: 3  |     return x.flags  #! E0405 arrays have no 'flags'
# CHECK:    |            ^
# CHECK:    |            - this is float32[::1], from the argument 'x'
# CHECK:    = help: an array's memory layout is not visible to a compiled function
# ROW: HET-ARR-7
