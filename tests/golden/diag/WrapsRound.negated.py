# KERNEL: yes
# FOR: (float32[:])
from hetjit import device


def f(a):
    x = device.thread_idx.x
    a[x] = -x / 2  #! W0702 '-x' is 2**32 - x, not -x

# EDITED: compiles

# CHECK: warning[W0702]: '-x' is 2**32 - x, not -x: uint32 wraps round
# CHECK:   --> tests/golden/diag/WrapsRound.negated.py:8:12
# CHECK:    |
# CHECK: 8  |     a[x] = -x / 2  #! W0702 '-x' is 2**32 - x, not -x
# CHECK:    |            ^^
# CHECK:    |            -- this wraps round below 0
# CHECK:    = help: compute it with a sign: -int(x)
# CHECK: 8  +     a[x] = -int(x) / 2  #! W0702 '-x' is 2**32 - x, not -x
