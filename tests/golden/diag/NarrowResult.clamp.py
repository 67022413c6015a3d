# KERNEL: yes
# FOR: (uint8[:], uint8)
from hetjit import device


def brighter(x, by):
    i = device.tid(1)
    x[i] = min(255, x[i] + by)  #! W0731 'x[i] + by' is computed in uint8, which wraps round, before it goes to min()
    x[i] = (x[i] & 15) * 16 + x[i] // 16
    x[i] = x[i] * 3

# CHECK: warning[W0731]: 'x[i] + by' is computed in uint8, which wraps round, before it goes to min()
# CHECK:   --> tests/golden/diag/NarrowResult.clamp.py:8:21
# CHECK:    |
# CHECK: 8  |     x[i] = min(255, x[i] + by)  #! W0731 'x[i] + by' is computed in uint8, which wraps round, before it goes to min()
# CHECK:    |                     ^^^^^^^^^
# CHECK:    = help: compute it in 32 bits: device.int32(x[i])
# CHECK: 8  +     x[i] = min(255, device.int32(x[i]) + by)  #! W0731 'x[i] + by' is computed in uint8, which wraps round, before it goes to min()

# EDITED: compiles
