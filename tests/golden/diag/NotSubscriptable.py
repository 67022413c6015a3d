# FOR: (int)
def f(x):
    return x[0]  #! E0218 int cannot be indexed

# CHECK: error[E0218]: int cannot be indexed
# CHECK:   --> tests/golden/diag/NotSubscriptable.py:3:12
# CHECK:    |
# CHECK: 3  |     return x[0]  #! E0218 int cannot be indexed
# CHECK:    |            ^
# CHECK:    |            - this is int, from the argument 'x'
# CHECK:    = help: it is one element already: the array has fewer axes than there are indices
