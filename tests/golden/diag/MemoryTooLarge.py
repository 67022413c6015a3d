# KERNEL: yes
# ROW: HETX-MEM-1
# FOR: (float32[::1])
# TARGET: cuda:sm_90
from hetjit import device


def f(x):
    tile = device.shared_array((128, 128), device.float32)  #! E0417 has 65536 bytes, and a block of cuda:sm_90 has 49152
    x[0] = tile[0, 0]

# CHECK: error[E0417]: 'shared_array' has 65536 bytes, and a block of cuda:sm_90 has 49152
# CHECK:   --> tests/golden/diag/MemoryTooLarge.py:9:12
# CHECK:    |
# CHECK: 9  |     tile = device.shared_array((128, 128), device.float32)  #! E0417 has 65536 bytes, and a block of cuda:sm_90 has 49152
# CHECK:    |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    = help: make it smaller; more than that, where the GPU has it, is dynamic: device.dynamic_shared_array(device.float32), whose bytes the launch gives: f[grid, block, None, bytes](…)
