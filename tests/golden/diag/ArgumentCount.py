# FOR: (float)
def scale(x, by):
    return x * by


def f(x):
    return scale(x, 2, 3)  #! E0304 takes

# CHECK: error[E0304]: 'scale' takes 2 arguments, but 3 are given
# CHECK:   --> tests/golden/diag/ArgumentCount.py:7:12
# CHECK:    |
# CHECK: 7  |     return scale(x, 2, 3)  #! E0304 takes
# CHECK:    |            ^^^^^^^^^^^^^^
# CHECK:    = note: its parameters are 'x', 'by'
# CHECK:    = help: pass as many as it takes; '*' spreads a tuple: f(*t)
