# FOR: (int, float)
def f(a, b):
    t = a, b
    return t[2]  #! E0407 index 2 is out of range

# CHECK: error[E0407]: index 2 is out of range for a tuple of 2 items
# CHECK:   --> tests/golden/diag/TupleIndexRange.py:4:14
# CHECK:    |
# CHECK: 4  |     return t[2]  #! E0407 index 2 is out of range
# CHECK:    |              ^
# CHECK:    = help: count from 0 to one less than there are, or from the end: t[-1]
