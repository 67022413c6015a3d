# FOR: (int)
from hetjit import device


def f(n):
    return device.tid(n)  #! E0505 must be a constant

# CHECK: error[E0505]: the number of axes of 'tid' must be a constant
# CHECK:   --> tests/golden/diag/ConstantNeeded.py:6:23
# CHECK:    |
# CHECK: 6  |     return device.tid(n)  #! E0505 must be a constant
# CHECK:    |                       ^
# CHECK:    |                       - this is int, from the argument 'n'
# CHECK:    = help: write 1, 2 or 3, or a global; or annotate the parameter: n: device.ConstExpr
# CHECK: 5  + def f(n: device.ConstExpr):

# A launch gives the constant that is asked for now, a signature cannot.
# EDITED: E0505
