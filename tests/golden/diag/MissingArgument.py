# FOR: (float)
def scale(x, by):
    return x * by


def f(x):
    return scale(x)  #! E0305 needs an argument for 'by'

# CHECK: error[E0305]: 'scale' needs an argument for 'by'
# CHECK:   --> tests/golden/diag/MissingArgument.py:7:12
# CHECK:    |
# CHECK: 7  |     return scale(x)  #! E0305 needs an argument for 'by'
# CHECK:    |            ^^^^^^^^
# CHECK:    = note: its parameters are 'x', 'by'
# CHECK:    = help: pass it, or give the parameter a default
