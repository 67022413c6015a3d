# FOR: (int)
from hetjit import device


def f(n):
    return device.tid(n)  #! E0505 is a constant

# CHECK: error[E0505]: the number of axes of 'tid' is a constant
# CHECK:   --> tests/golden/diag/ConstantNeeded.py:6:23
# CHECK:    |
# CHECK: 6  |     return device.tid(n)  #! E0505 is a constant
# CHECK:    |                       ^
# CHECK:    |                       - this is int, from the argument 'n'
