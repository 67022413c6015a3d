# KERNEL: yes
# FOR: (uint8[:], float32[:], float32[:])
from hetjit import device


def look_up(x, table, out):
    i = device.tid(1)
    out[i] = table[x[i] * 2 + 1]  #! W0731 'x[i] * 2 + 1' is computed in uint8, which wraps round, before it is an index
    out[i] += table[x[i] % 8 * 2 + 1]

# CHECK: warning[W0731]: 'x[i] * 2 + 1' is computed in uint8, which wraps round, before it is an index
# CHECK:   --> tests/golden/diag/NarrowResult.index.py:8:20
# CHECK:    |
# CHECK: 8  |     out[i] = table[x[i] * 2 + 1]  #! W0731 'x[i] * 2 + 1' is computed in uint8, which wraps round, before it is an index
# CHECK:    |                    ^^^^^^^^^^^^
# CHECK:    = help: compute it in 32 bits: device.int32(x[i])
# CHECK: 8  +     out[i] = table[device.int32(x[i]) * 2 + 1]  #! W0731 'x[i] * 2 + 1' is computed in uint8, which wraps round, before it is an index

# EDITED: compiles
