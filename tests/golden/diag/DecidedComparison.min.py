# KERNEL: yes
# FOR: (int32[:])
from hetjit import device


def f(a):
    before = device.thread_idx.x - 1
    a[0] = min(before, 0)  #! W0701 'min(…, 0)' is always 0

# EDITED: compiles

# CHECK: warning[W0701]: 'min(…, 0)' is always 0: uint32 is never negative
# CHECK:   --> tests/golden/diag/DecidedComparison.min.py:8:12
# CHECK:    |
# CHECK: 7  |     before = device.thread_idx.x - 1
# CHECK:    |              ----------------------- this wraps round below 0
# CHECK: 8  |     a[0] = min(before, 0)  #! W0701 'min(…, 0)' is always 0
# CHECK:    |            ^^^^^^^^^^^^^^
# CHECK:    = help: compute it with a sign: int(device.thread_idx.x) - 1
# CHECK: 7  +     before = int(device.thread_idx.x) - 1
