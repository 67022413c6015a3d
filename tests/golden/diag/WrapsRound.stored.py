# KERNEL: yes
# FOR: (float32[:])
from hetjit import device


def f(a):
    x = device.thread_idx.x
    a[x] = x - 1  #! W0702 'x - 1' is 4294967295 in the first thread, not -1

# EDITED: compiles

# CHECK: warning[W0702]: 'x - 1' is 4294967295 in the first thread, not -1: uint32 wraps round
# CHECK:   --> tests/golden/diag/WrapsRound.stored.py:8:12
# CHECK:    |
# CHECK: 8  |     a[x] = x - 1  #! W0702 'x - 1' is 4294967295 in the first thread, not -1
# CHECK:    |            ^^^^^
# CHECK:    |            ----- this wraps round below 0
# CHECK:    = help: compute it with a sign: int(x) - 1
# CHECK: 8  +     a[x] = int(x) - 1  #! W0702 'x - 1' is 4294967295 in the first thread, not -1
