# FOR: (float)
def scale(x, by=2):
    return x * by


def f(x):
    return scale(x, x=3)  #! E0307 gets two values for 'x'

# CHECK: error[E0307]: 'scale' gets two values for 'x'
# CHECK:   --> tests/golden/diag/RepeatedArgument.py:7:12
# CHECK:    |
# CHECK: 7  |     return scale(x, x=3)  #! E0307 gets two values for 'x'
# CHECK:    |            ^^^^^^^^^^^^^
# CHECK:    = help: pass it once: by position or by name
