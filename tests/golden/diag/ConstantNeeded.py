# FOR: (int)
from hetjit import device


def f(n):
    return device.tid(n)  #! E0505 is a constant
