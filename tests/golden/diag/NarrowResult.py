# KERNEL: yes
# FOR: (uint8[:, :], uint8[:])
from hetjit import device


def grey(colour, out):
    i = device.tid(1)
    out[i] = (colour[i, 0] * 77 + colour[i, 1] * 150 + colour[i, 2] * 29) >> 8  #! W0731 is computed in uint8, which wraps round, before it is shifted right

# CHECK: warning[W0731]: 'colour[i, 0] * 77 + colour[i, 1] * 150 + colour[i, 2] * 29' is computed in uint8, which wraps round, before it is shifted right
# CHECK:   --> tests/golden/diag/NarrowResult.py:8:15
# CHECK:    |
# CHECK: 8  |     out[i] = (colour[i, 0] * 77 + colour[i, 1] * 150 + colour[i, 2] * 29) >> 8  #! W0731 is computed in uint8, which wraps round, before it is shifted right
# CHECK:    |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    = help: compute it in 32 bits: device.int32(colour[i, 0]) and so on
# CHECK: 8  +     out[i] = (device.int32(colour[i, 0]) * 77 + device.int32(colour[i, 1]) * 150 + device.int32(colour[i, 2]) * 29) >> 8  #! W0731 is computed in uint8, which wraps round, before it is shifted right

# EDITED: compiles
