# SHOW: explain
# KERNEL: yes
# FUNCTION: recursion
# FOR: (int32[::1])
from hetjit import device

def factorial(n: int) -> int:
    if n < 2:
        return 1
    return n * factorial(n - 1)

def recursion(out):
    i = device.tid(1)
    out[i] = factorial(out[i])
