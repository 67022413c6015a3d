# KERNEL: yes
# FOR: (uint64[:], float64[:])
import math


def cell(out, x):
    out[0] = math.floor(x[0]) + 1  #! W0733 'math.floor(x[0])' is an int of 32 bits before it becomes uint64

# CHECK: warning[W0733]: 'math.floor(x[0])' is an int of 32 bits before it becomes uint64
# CHECK:   --> tests/golden/diag/NarrowConversion.floor.py:7:14
# CHECK:    |
# CHECK: 7  |     out[0] = math.floor(x[0]) + 1  #! W0733 'math.floor(x[0])' is an int of 32 bits before it becomes uint64
# CHECK:    |              ^^^^^^^^^^^^^^^^
# CHECK:    = help: device.int64(numpy.floor(x)) has 64 bits, device.uint64(numpy.floor(x)) of what is never negative
