# TARGET: cuda:sm_90
# ENV: HETJIT_LIBDEVICE=tests/golden/diag/BackendFailed.py
# FOR: (float)
import math


def f(x):
    return math.sin(x)  #! E0603 compiling for cuda:sm_90 failed

# CHECK: error[E0603]: compiling for cuda:sm_90 failed: tests/golden/diag/BackendFailed.py is not LLVM bitcode: Invalid bitcode signature
# CHECK:   --> tests/golden/diag/BackendFailed.py:8:12
# CHECK:    |
# CHECK: 8  |     return math.sin(x)  #! E0603 compiling for cuda:sm_90 failed
# CHECK:    |            ^^^^
# CHECK:    = help: try another target; if it fails there, too, report it with the function
