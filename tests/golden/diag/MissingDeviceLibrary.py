# TARGET: cuda:sm_90
# ENV: HETJIT_LIBDEVICE=no/such/libdevice.10.bc
# FOR: (float)
import math


def f(x):
    return math.sin(x)  #! E0601 libdevice.10.bc

# CHECK: error[E0601]: cannot compile for cuda:sm_90: 'sin' needs libdevice.10.bc, which was not found; looked for no/such/libdevice.10.bc; set HETJIT_LIBDEVICE to its path
# CHECK:   --> tests/golden/diag/MissingDeviceLibrary.py:8:12
# CHECK:    |
# CHECK: 8  |     return math.sin(x)  #! E0601 libdevice.10.bc
# CHECK:    |            ^^^^
# CHECK:    = help: install it, say where it is, or compile with @device.kernel(portable_math=True), which needs none
