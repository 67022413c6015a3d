# FOR: (float32[:, ::1], int)
def f(z, i):
    return z[i, i, i]  #! E0401 takes

# CHECK: error[E0401]: an array of 2 dimensions takes 2 indices, but 3 are given
# CHECK:   --> tests/golden/diag/IndexCount.py:3:14
# CHECK:    |
# CHECK: 3  |     return z[i, i, i]  #! E0401 takes
# CHECK:    |              ^^^^^^^
# CHECK:    |            - this is float32[:, ::1], from the argument 'z'
# CHECK:    = help: give an index for each axis (x.shape has as many); a tuple counts as several, as enumerate() gives them: for i, v in enumerate(x)
