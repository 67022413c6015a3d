# FOR: (float)
def scale(x, by=2):
    return x * by


def f(x):
    return scale(x, factor=3)  #! E0306 has no parameter 'factor'

# CHECK: error[E0306]: 'scale' has no parameter 'factor'
# CHECK:   --> tests/golden/diag/UnknownKeyword.py:7:12
# CHECK:    |
# CHECK: 7  |     return scale(x, factor=3)  #! E0306 has no parameter 'factor'
# CHECK:    |            ^^^^^^^^^^^^^^^^^^
# CHECK:    = help: pass it by position, or by the name that the function has for it
