# KERNEL: yes
# FOR: (float32[:])
from hetjit import device


def f(a):
    y = device.thread_idx.y
    for dy in range(-1, 2):
        if 0 <= y + dy < len(a):  #! W0701 '>= 0' is always true: uint32 is never negative
            a[y + dy] += 1

# CHECK: warning[W0701]: '>= 0' is always true: uint32 is never negative
# CHECK:   --> tests/golden/diag/DecidedComparison.neighbour.py:9:12
# CHECK:    |
# CHECK: 9  |         if 0 <= y + dy < len(a):  #! W0701 '>= 0' is always true: uint32 is never negative
# CHECK:    |            ^^^^^^^^^^^^^^^^^^^^
# CHECK:    |                 ------ this wraps round below 0
# CHECK:    = help: compute it with a sign: int(y) + dy
# CHECK: 9  +         if 0 <= int(y) + dy < len(a):  #! W0701 '>= 0' is always true: uint32 is never negative

# EDITED: compiles
