# FOR: (uint64, int64, int)
def f(x, y, n):
    return x if n > 0 else y  #! E0220 uint64 and int64 do not become one type

# CHECK: error[E0220]: uint64 and int64 do not become one type here
# CHECK:   --> tests/golden/diag/NoCommonType.py:3:12
# CHECK:    |
# CHECK: 3  |     return x if n > 0 else y  #! E0220 uint64 and int64 do not become one type
# CHECK:    |            ^^^^^^^^^^^^^^^^^
# CHECK:    = note: the argument 'x' is uint64
# CHECK:    = note: the argument 'y' is int64
# CHECK:    = help: convert one of them, so that both have one type
