# KERNEL: yes
# FOR: (int32[:])
from hetjit import device


def deeper(n):
    device.syncthreads()
    return n if n < 1 else 1 + deeper(n - 1)  #! E0602 functions whose threads wait for one another call each other in a circle


def f(out):
    out[0] = deeper(out[0])

# CHECK: error[E0602]: cannot compile for cpu:x86-64-v3: functions whose threads wait for one another call each other in a circle
# CHECK:   --> tests/golden/diag/UnknownTarget.waits.py:8:32
# CHECK:    |
# CHECK: 8  |     return n if n < 1 else 1 + deeper(n - 1)  #! E0602 functions whose threads wait for one another call each other in a circle
# CHECK:    |                                ^^^^^^^^^^^^^
# CHECK:    = help: write the recursion as a loop, or wait outside of it
