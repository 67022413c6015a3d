# FOR: (int, int)
def f(x, y):
    return x is y  #! E0213 'is' compares int and int

# CHECK: error[E0213]: 'is' compares int and int, which have no identity in a compiled function
# CHECK:   --> tests/golden/diag/IdentityComparison.py:3:14
# CHECK:    |
# CHECK: 3  |     return x is y  #! E0213 'is' compares int and int
# CHECK:    |              ^^
# CHECK:    |            - this is int, from the argument 'x'
# CHECK:    |                 - this is int, from the argument 'y'
# CHECK:    = help: compare values with '==' or '!='
# CHECK: 3  +     return x == y  #! E0213 'is' compares int and int

# EDITED: compiles
