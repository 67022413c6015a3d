# KERNEL: yes
# FOR: (float32[:], int)
from hetjit import device


def f(a, n):
    x = device.block_idx.x * device.block_dim.x + device.thread_idx.x
    if x < n:
        for k in range(x - 2, n):  #! W0702 'x - 2' is 4294967294 in the first thread, not -2: uint32 wraps round
            a[k] += 1

# CHECK: warning[W0702]: 'x - 2' is 4294967294 in the first thread, not -2: uint32 wraps round
# CHECK:   --> tests/golden/diag/WrapsRound.py:9:24
# CHECK:    |
# CHECK: 9  |         for k in range(x - 2, n):  #! W0702 'x - 2' is 4294967294 in the first thread, not -2: uint32 wraps round
# CHECK:    |                        ^^^^^
# CHECK:    |                        ----- this wraps round below 0
# CHECK:    = help: compute it with a sign: int(x) - 2
# CHECK: 9  +         for k in range(int(x) - 2, n):  #! W0702 'x - 2' is 4294967294 in the first thread, not -2: uint32 wraps round

# EDITED: compiles
