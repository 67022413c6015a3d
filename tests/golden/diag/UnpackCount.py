# FOR: (int)
def f(x):
    a, b = x, x, x  #! E0216 cannot unpack a tuple of 3 items into 2 targets
    return a

# CHECK: error[E0216]: cannot unpack a tuple of 3 items into 2 targets
# CHECK:   --> tests/golden/diag/UnpackCount.py:3:5
# CHECK:    |
# CHECK: 3  |     a, b = x, x, x  #! E0216 cannot unpack a tuple of 3 items into 2 targets
# CHECK:    |     ^^^^
# CHECK:    = help: name as many as there are, '_' for those that you do not need
