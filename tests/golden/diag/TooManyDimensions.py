# FOR: (float32[:, :, :, :, :, :, :, :])
def f(x):
    return x[None].size  #! E0411 an array has at most 8 dimensions, not 9

# CHECK: error[E0411]: an array has at most 8 dimensions, not 9
# CHECK:   --> tests/golden/diag/TooManyDimensions.py:3:12
# CHECK:    |
# CHECK: 3  |     return x[None].size  #! E0411 an array has at most 8 dimensions, not 9
# CHECK:    |            ^^^^^^^
# CHECK:    = help: join axes: x.reshape(-1) has one
