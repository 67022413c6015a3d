# KERNEL: yes
# FOR: (int16[:], int32[:])
# EDITED: compiles
def energy(x, out):
    for i in range(x.shape[0]):
        out[i] = int(x[i]) * x[i]  #! W0731 'int(x[i]) * x[i]' is computed in int16, which wraps round, before it becomes int32

# CHECK: warning[W0731]: 'int(x[i]) * x[i]' is computed in int16, which wraps round, before it becomes int32
# CHECK:   --> tests/golden/diag/NarrowResult.weak.py:6:18
# CHECK:    |
# CHECK: 6  |         out[i] = int(x[i]) * x[i]  #! W0731 'int(x[i]) * x[i]' is computed in int16, which wraps round, before it becomes int32
# CHECK:    |                  ^^^^^^^^^^^^^^^^
# CHECK:    = note: 'int(x[i])' is a Python number: it takes the format of the other one
# CHECK:    = help: compute it in 32 bits: device.int32(x[i])
# CHECK: 6  +         out[i] = int(x[i]) * device.int32(x[i])  #! W0731 'int(x[i]) * x[i]' is computed in int16, which wraps round, before it becomes int32
