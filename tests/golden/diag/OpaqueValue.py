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
# CHECK:    = help: make it a tuple, of numbers or functions, where it stays as it is; what changes or grows is an array that is passed, and a count of how many are used
