# FOR: (int)
def f(x):
    y = [x, 2]  #! E0101 is not supported in a compiled function
    return y[0]

# CHECK: error[E0101]: a list is not supported in a compiled function
# CHECK:   --> tests/golden/diag/UnsupportedInstruction.py:3:5
# CHECK:    |
# CHECK: 3  |     y = [x, 2]  #! E0101 is not supported in a compiled function
# CHECK:    |     ^
