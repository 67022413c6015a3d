# KERNEL: yes
# FOR: (int64[:], int)
from hetjit import device


def squares(out, n):
    total = 0
    for k in range(n):
        total += k * k  #! W0731 'total' is computed in int, of 32 bits, which wraps round, before it becomes int64
    out[0] = total

# EDITED: compiles

# CHECK: warning[W0731]: 'total' is computed in int, of 32 bits, which wraps round, before it becomes int64
# CHECK:   --> tests/golden/diag/NarrowResult.products.py:9:9
# CHECK:    |
# CHECK: 9  |         total += k * k  #! W0731 'total' is computed in int, of 32 bits, which wraps round, before it becomes int64
# CHECK:    |         ^^^^^^^^^^^^^^
# CHECK:    = help: compute it in 64 bits: device.int64(k)
# CHECK: 9  +         total += device.int64(k) * k  #! W0731 'total' is computed in int, of 32 bits, which wraps round, before it becomes int64
