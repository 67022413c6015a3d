# FOR: (int)
WEIGHTS = [1.0, 2.0]


def f(i):
    return WEIGHTS[i]  #! E0311 cannot be used in a compiled function

# CHECK: error[E0311]: 'WEIGHTS' cannot be used in a compiled function
# CHECK:   --> tests/golden/diag/OpaqueValue.py:6:12
# CHECK:    |
# CHECK: 6  |     return WEIGHTS[i]  #! E0311 cannot be used in a compiled function
# CHECK:    |            ^^^^^^^
# CHECK:    |            ------- this is a list
# CHECK:    = help: pass it as an array, or make it a tuple of constants
