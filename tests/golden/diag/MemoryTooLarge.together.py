# KERNEL: yes
# ROW: HETX-MEM-1
# FOR: (float32[::1])
# TARGET: hip:gfx942
from hetjit import device


def f(x):
    one = device.shared_array(10000, device.float32)
    two = device.shared_array(10000, device.float32)  #! E0417 have 80000 bytes, and a block of hip:gfx942 has 65536
    x[0] = one[0] + two[0]

# CHECK: error[E0417]: the shared arrays up to this one have 80000 bytes, and a block of hip:gfx942 has 65536
# CHECK:   --> tests/golden/diag/MemoryTooLarge.together.py:10:11
# CHECK:    |
# CHECK: 10 |     two = device.shared_array(10000, device.float32)  #! E0417 have 80000 bytes, and a block of hip:gfx942 has 65536
# CHECK:    |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    = help: make it smaller; more than that, where the GPU has it, is dynamic: device.dynamic_shared_array(device.float32), whose bytes the launch gives: f[grid, block, None, bytes](…)
