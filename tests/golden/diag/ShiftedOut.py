# KERNEL: yes
# FOR: (uint8[:], uint32[:])
from hetjit import device


def words(x, out):
    i = device.tid(1)
    out[i] = x[2 * i] | x[2 * i + 1] << 8  #! W0732 '<< 8' leaves nothing of uint8, which has 8 bits

# CHECK: warning[W0732]: '<< 8' leaves nothing of uint8, which has 8 bits
# CHECK:   --> tests/golden/diag/ShiftedOut.py:8:25
# CHECK:    |
# CHECK: 8  |     out[i] = x[2 * i] | x[2 * i + 1] << 8  #! W0732 '<< 8' leaves nothing of uint8, which has 8 bits
# CHECK:    |                         ^^^^^^^^^^^^^^^^^
# CHECK:    = help: compute it in 32 bits: device.int32(x[2 * i + 1])
# CHECK: 8  +     out[i] = x[2 * i] | device.int32(x[2 * i + 1]) << 8  #! W0732 '<< 8' leaves nothing of uint8, which has 8 bits

# EDITED: compiles
