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
# CHECK:    = help: write 1, 2 or 3, or a global
