# FOR: (float32[:])
def f(x):
    return x.reshape(2, 3)[0, 0]  #! E0413 'reshape' of float32[:] would copy

# CHECK: error[E0413]: 'reshape' of float32[:] would copy, which a compiled function cannot
# CHECK:   --> tests/golden/diag/NeedsCopy.py:3:12
# CHECK:    |
# CHECK: 3  |     return x.reshape(2, 3)[0, 0]  #! E0413 'reshape' of float32[:] would copy
# CHECK:    |            ^^^^^^^^^
# CHECK:    = help: only an array known to be contiguous is reshaped in place; index this one as it is
