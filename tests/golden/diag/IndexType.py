# FOR: (float32[::1], int)
def f(x, i):
    return x[i / 2]  #! E0402 an index is an integer, not float

# CHECK: error[E0402]: an index is an integer, not float
# CHECK:   --> tests/golden/diag/IndexType.py:3:14
# CHECK:    |
# CHECK: 3  |     return x[i / 2]  #! E0402 an index is an integer, not float
# CHECK:    |              ^^^^^
# CHECK:    = help: '/' makes a float of integers; '//' makes an integer
# CHECK: 3  +     return x[i // 2]  #! E0402 an index is an integer, not float

# EDITED: compiles
