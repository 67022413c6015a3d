# KERNEL: yes
# FOR: (float32[:])
from hetjit import device


def f(a):
    i = device.block_dim.x * 4
    while i >= 0:  #! W0701 '>= 0' is always true: uint32 is never negative
        a[i] = 0
        i -= device.block_dim.x

# CHECK: warning[W0701]: '>= 0' is always true: uint32 is never negative
# CHECK:   --> tests/golden/diag/DecidedComparison.loop.py:8:11
# CHECK:    |
# CHECK: 8  |     while i >= 0:  #! W0701 '>= 0' is always true: uint32 is never negative
# CHECK:    |           ^^^^^^
# CHECK: ...
# CHECK: 10 |         i -= device.block_dim.x
# CHECK:    |         ----------------------- this wraps round below 0
# CHECK:    = help: convert to a signed number first, where it is made: int(x)
