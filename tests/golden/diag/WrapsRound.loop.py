# KERNEL: yes
# FOR: (float32[:], int)
from hetjit import device


def f(a, n):
    x = device.thread_idx.x
    total = 0.0
    for k in range(n):
        total += a[x - k]  #! W0702 'x - k' is 2**32 - k in the first thread, not -k
    a[x] = total

# EDITED: compiles

# CHECK: warning[W0702]: 'x - k' is 2**32 - k in the first thread, not -k: uint32 wraps round
# CHECK:   --> tests/golden/diag/WrapsRound.loop.py:10:20
# CHECK:    |
# CHECK: 10 |         total += a[x - k]  #! W0702 'x - k' is 2**32 - k in the first thread, not -k
# CHECK:    |                    ^^^^^
# CHECK:    |                    ----- this wraps round below 0
# CHECK:    = help: compute it with a sign: int(x) - k; an index below 0 counts from the end: leave that thread out by an 'if'
# CHECK: 10 +         total += a[int(x) - k]  #! W0702 'x - k' is 2**32 - k in the first thread, not -k
