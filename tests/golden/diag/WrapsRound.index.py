# KERNEL: yes
# FOR: (float32[:, :])
from hetjit import device


def f(a):
    x, y = device.thread_idx.x, device.thread_idx.y
    a[y, x] = a[y, x - 1]  #! W0702 is 4294967295 in the first thread, not -1

# CHECK: warning[W0702]: 'x - 1' is 4294967295 in the first thread, not -1: uint32 wraps round
# CHECK:   --> tests/golden/diag/WrapsRound.index.py:8:20
# CHECK:    |
# CHECK: 8  |     a[y, x] = a[y, x - 1]  #! W0702 is 4294967295 in the first thread, not -1
# CHECK:    |                    ^^^^^
# CHECK:    |                    ----- this wraps round below 0
# CHECK:    = help: compute it with a sign: int(x) - 1; an index below 0 counts from the end: leave that thread out by an 'if'
# CHECK: 8  +     a[y, x] = a[y, int(x) - 1]  #! W0702 is 4294967295 in the first thread, not -1

# EDITED: compiles
