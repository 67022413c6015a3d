# FOR: (float32[::1])
def f(x):
    return x[::0].shape[0]  #! E0410 the step of a slice cannot be 0

# CHECK: error[E0410]: the step of a slice cannot be 0
# CHECK:   --> tests/golden/diag/SliceStepZero.py:3:14
# CHECK:    |
# CHECK: 3  |     return x[::0].shape[0]  #! E0410 the step of a slice cannot be 0
# CHECK:    |              ^^^
# CHECK:    = help: leave it out, or let it be 1 or more, or negative to go backwards
