# FOR: (float)
def scale(x, /, by=2):
    return x * by


def f(y):
    return scale(x=y)  #! E0308 takes 'x' by position only

# CHECK: error[E0308]: 'scale' takes 'x' by position only
# CHECK:   --> tests/golden/diag/PositionalOnly.py:7:12
# CHECK:    |
# CHECK: 7  |     return scale(x=y)  #! E0308 takes 'x' by position only
# CHECK:    |            ^^^^^^^^^^
# CHECK:    = help: leave its name out
