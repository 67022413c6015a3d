# FOR: (float32, int64)
def f(a, n):
    return a @ n  #! E0201 cannot apply '@' to float32 and int64

# CHECK: error[E0201]: cannot apply '@' to float32 and int64
# CHECK:   --> tests/golden/diag/NoBinaryOperator.py:3:14
# CHECK:    |
# CHECK: 3  |     return a @ n  #! E0201 cannot apply '@' to float32 and int64
# CHECK:    |              ^
# CHECK:    |            - this is float32, from the argument 'a'
# CHECK:    |                - this is int64, from the argument 'n'
# CHECK:    = help: '@' multiplies arrays; for numbers write '*'
# CHECK: 3  +     return a * n  #! E0201 cannot apply '@' to float32 and int64

# EDITED: compiles
