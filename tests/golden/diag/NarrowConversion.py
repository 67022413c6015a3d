# KERNEL: yes
# FOR: (int64[:], float64[:])
def cells(out, x):
    total = 0
    for v in x:
        total += int(v)  #! W0733 'int(v)' is an int of 32 bits before it becomes int64
    out[0] = total

# EDITED: compiles

# CHECK: warning[W0733]: 'int(v)' is an int of 32 bits before it becomes int64
# CHECK:   --> tests/golden/diag/NarrowConversion.py:6:18
# CHECK:    |
# CHECK: 6  |         total += int(v)  #! W0733 'int(v)' is an int of 32 bits before it becomes int64
# CHECK:    |                  ^^^^^^
# CHECK:    = help: device.int64(x) has 64 bits
# CHECK: 6  +         total += device.int64(v)  #! W0733 'int(v)' is an int of 32 bits before it becomes int64
