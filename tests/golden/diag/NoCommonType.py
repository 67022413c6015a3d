# FOR: (uint64, int64, int)
def f(x, y, n):
    return x if n > 0 else y  #! E0220 no type holds both

# CHECK: error[E0202]: 'this expression' is uint64 on one path and int64 on another
# CHECK:   --> tests/golden/diag/NoCommonType.py:3:12
# CHECK:    |
# CHECK: 3  |     return x if n > 0 else y  #! E0220 no type holds both
# CHECK:    |            ^^^^^^^^^^^^^^^^^
# CHECK:    = note: the argument '' is uint64
# CHECK:    = note: the argument '' is int64
# CHECK:    = help: give 'this expression' one type, for example by converting: float32(x)
