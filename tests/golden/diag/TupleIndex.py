# FOR: (int, float, int)
def f(a, b, i):
    return (a, b)[i]  #! E0406 the index of a tuple must be a constant, not int

# CHECK: error[E0406]: the index of a tuple must be a constant, not int
# CHECK:   --> tests/golden/diag/TupleIndex.py:3:19
# CHECK:    |
# CHECK: 3  |     return (a, b)[i]  #! E0406 the index of a tuple must be a constant, not int
# CHECK:    |                   ^
# CHECK:    |                   - this is int, from the argument 'i'
# CHECK:    = help: the items differ in type; index with a constant, or use an array
