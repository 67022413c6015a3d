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

# CHECK: recursion(out: int32[::1]) on cpu:x86-64-v3
# CHECK:   thread by thread: functions call each other in a circle, or are too large together
