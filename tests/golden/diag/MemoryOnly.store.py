# KERNEL: yes
# ROW: HET-ATM-8
# FOR: (int32[::1])
from hetjit import device


def f(x):
    counters = device.shared_array(4, device.Atomic(int))
    counters[0] = x[0]  #! E0415 lives in memory only, but is assigned
