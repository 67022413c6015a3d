# KERNEL: yes
# FOR: (float32[:])
import math

from hetjit import device


def f(a):
    x = device.thread_idx.x
    a[x] = math.exp(x - 2)  #! W0702 'x - 2' is 4294967294 in the first thread, not -2

# EDITED: compiles

# CHECK: warning[W0702]: 'x - 2' is 4294967294 in the first thread, not -2: uint32 wraps round
# CHECK:   --> tests/golden/diag/WrapsRound.math.py:10:21
# CHECK:    |
# CHECK: 10 |     a[x] = math.exp(x - 2)  #! W0702 'x - 2' is 4294967294 in the first thread, not -2
# CHECK:    |                     ^^^^^
# CHECK:    |                     ----- this wraps round below 0
# CHECK:    = help: compute it with a sign: int(x) - 2
# CHECK: 10 +     a[x] = math.exp(int(x) - 2)  #! W0702 'x - 2' is 4294967294 in the first thread, not -2
