# KERNEL: yes
# FOR: (float32[:])
from hetjit import device


def f(a):
    x = device.thread_idx.x
    half = (x - 3) // 2  #! W0702 'x - 3' is 4294967293 in the first thread, not -3
    a[x] = half

# CHECK: warning[W0702]: 'x - 3' is 4294967293 in the first thread, not -3: uint32 wraps round
# CHECK:   --> tests/golden/diag/WrapsRound.division.py:8:13
# CHECK:    |
# CHECK: 8  |     half = (x - 3) // 2  #! W0702 'x - 3' is 4294967293 in the first thread, not -3
# CHECK:    |             ^^^^^
# CHECK:    |             ----- this wraps round below 0
# CHECK:    = help: compute it with a sign: int(x) - 3
# CHECK: 8  +     half = (int(x) - 3) // 2  #! W0702 'x - 3' is 4294967293 in the first thread, not -3

# EDITED: compiles
