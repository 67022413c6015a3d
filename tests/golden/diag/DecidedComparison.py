# KERNEL: yes
# FOR: (float32[:])
from hetjit import device


def f(a):
    x = device.thread_idx.x
    if x - 1 >= 0:  #! W0701 '>= 0' is always true: uint32 is never negative
        a[x] = a[x - 1]

# CHECK: warning[W0701]: '>= 0' is always true: uint32 is never negative
# CHECK:   --> tests/golden/diag/DecidedComparison.py:8:8
# CHECK:    |
# CHECK: 8  |     if x - 1 >= 0:  #! W0701 '>= 0' is always true: uint32 is never negative
# CHECK:    |        ^^^^^^^^^^
# CHECK:    |        ----- this wraps round below 0
# CHECK:    = help: compute it with a sign: int(x) - 1
# CHECK: 8  +     if int(x) - 1 >= 0:  #! W0701 '>= 0' is always true: uint32 is never negative

# EDITED: compiles
