# FOR: (int, int)
def f(x, y):
    return (x, y) < y  #! E0205 cannot compare

# CHECK: error[E0205]: cannot compare tuple[int, int] and int with '<'
# CHECK:   --> tests/golden/diag/NoComparison.py:3:19
# CHECK:    |
# CHECK: 3  |     return (x, y) < y  #! E0205 cannot compare
# CHECK:    |                   ^
# CHECK:    |            ------ this is tuple[int, int]
# CHECK:    |                     - this is int, from the argument 'y'
# CHECK:    = help: take one of its items: x.shape[0] is the length of the first axis
