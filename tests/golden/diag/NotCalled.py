# KERNEL: yes
# FOR: (float32[:])
from hetjit import device


def f(a):
    tile = device.shared_array(32, device.float32)
    tile[device.thread_idx.x] = a[device.thread_idx.x]
    device.syncthreads  #! E0320 'device.syncthreads' is named, but not called
    a[device.thread_idx.x] = tile[31 - device.thread_idx.x]

# CHECK: error[E0320]: 'device.syncthreads' is named, but not called
# CHECK:   --> tests/golden/diag/NotCalled.py:9:5
# CHECK:    |
# CHECK: 9  |     device.syncthreads  #! E0320 'device.syncthreads' is named, but not called
# CHECK:    |     ^^^^^^^^^^^^^^^^^^
# CHECK:    = help: write device.syncthreads()
# CHECK: 9  +     device.syncthreads()  #! E0320 'device.syncthreads' is named, but not called

# EDITED: compiles
