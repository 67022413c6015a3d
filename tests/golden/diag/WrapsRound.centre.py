# KERNEL: yes
# FOR: (float32[:])
from hetjit import device


def f(a):
    x = device.thread_idx.x
    a[x] = (x - device.block_dim.x // 2) * 0.5  #! W0702 is 2**32 - device.block_dim.x // 2 in the first thread

# EDITED: compiles

# CHECK: warning[W0702]: 'x - device.block_dim.x // 2' is 2**32 - device.block_dim.x // 2 in the first thread, not -(device.block_dim.x // 2): uint32 wraps round
# CHECK:   --> tests/golden/diag/WrapsRound.centre.py:8:13
# CHECK:    |
# CHECK: 8  |     a[x] = (x - device.block_dim.x // 2) * 0.5  #! W0702 is 2**32 - device.block_dim.x // 2 in the first thread
# CHECK:    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    |             --------------------------- this wraps round below 0
# CHECK:    = help: compute it with a sign: int(x) - int(device.block_dim.x // 2)
# CHECK: 8  +     a[x] = (int(x) - int(device.block_dim.x // 2)) * 0.5  #! W0702 is 2**32 - device.block_dim.x // 2 in the first thread
