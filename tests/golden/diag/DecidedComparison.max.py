# KERNEL: yes
# FOR: (float32[:], int)
from hetjit import device


def f(a, radius):
    x = device.thread_idx.x
    a[x] = a[max(0, x - radius)]  #! W0701 'max(…, 0)' is always x - radius

# EDITED: compiles

# CHECK: warning[W0701]: 'max(…, 0)' is always x - radius: uint32 is never negative
# CHECK:   --> tests/golden/diag/DecidedComparison.max.py:8:14
# CHECK:    |
# CHECK: 8  |     a[x] = a[max(0, x - radius)]  #! W0701 'max(…, 0)' is always x - radius
# CHECK:    |              ^^^^^^^^^^^^^^^^^^
# CHECK:    |                     ---------- this wraps round below 0
# CHECK:    = help: compute it with a sign: int(x) - radius
# CHECK: 8  +     a[x] = a[max(0, int(x) - radius)]  #! W0701 'max(…, 0)' is always x - radius
