# KERNEL: yes
# FOR: (int32[:])
from hetjit import device


def f(a):
    x = device.thread_idx.x
    a[x] = abs(x - device.block_dim.x // 2)  #! W0701 'abs(…)' is always x - device.block_dim.x // 2

# EDITED: compiles

# CHECK: warning[W0701]: 'abs(…)' is always x - device.block_dim.x // 2: uint32 is never negative
# CHECK:   --> tests/golden/diag/DecidedComparison.abs.py:8:12
# CHECK:    |
# CHECK: 8  |     a[x] = abs(x - device.block_dim.x // 2)  #! W0701 'abs(…)' is always x - device.block_dim.x // 2
# CHECK:    |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    |                --------------------------- this wraps round below 0
# CHECK:    = help: compute it with a sign: int(x) - int(device.block_dim.x // 2)
# CHECK: 8  +     a[x] = abs(int(x) - int(device.block_dim.x // 2))  #! W0701 'abs(…)' is always x - device.block_dim.x // 2
