# KERNEL: yes
# FOR: (int16[:], int64[:])
from hetjit import device


def squares(x, out):
    total = 0
    for v in x:
        total += v * v  #! W0731 'total += v * v' is computed in int16, which wraps round, before it becomes int64
    out[0] = total

# CHECK: warning[W0731]: 'total += v * v' is computed in int16, which wraps round, before it becomes int64
# CHECK:   --> tests/golden/diag/NarrowResult.sum.py:9:9
# CHECK:    |
# CHECK: 9  |         total += v * v  #! W0731 'total += v * v' is computed in int16, which wraps round, before it becomes int64
# CHECK:    |         ^^^^^^^^^^^^^^
# CHECK:    = help: compute it in 32 bits: device.int32(v)
# CHECK: 9  +         total += device.int32(v) * v  #! W0731 'total += v * v' is computed in int16, which wraps round, before it becomes int64

# EDITED: compiles
