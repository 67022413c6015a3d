# FOR: (int)
def f(x):
    y = {x, 2}  #! E0101 is not supported in a compiled function
    return len(y)

# CHECK: error[E0101]: a set is not supported in a compiled function
# CHECK:   --> tests/golden/diag/UnsupportedInstruction.py:3:9
# CHECK:    |
# CHECK: 3  |     y = {x, 2}  #! E0101 is not supported in a compiled function
# CHECK:    |         ^^^^^^
# CHECK:    = help: use a tuple, which 'in' searches, or an array of flags
