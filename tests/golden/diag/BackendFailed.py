# TARGET: cuda:sm_90
# ENV: HETJIT_LIBDEVICE=tests/golden/diag/no_bitcode.bc
# FOR: (float)
import math


def f(x):
    return math.sin(x)  #! E0603 compiling for cuda:sm_90 failed

# CHECK: error[E0603]: compiling for cuda:sm_90 failed: tests/golden/diag/no_bitcode.bc is not LLVM bitcode: file doesn't start with bitcode header
# CHECK:   --> tests/golden/diag/BackendFailed.py:8:12
# CHECK:    |
# CHECK: 8  |     return math.sin(x)  #! E0603 compiling for cuda:sm_90 failed
# CHECK:    |            ^^^^
# CHECK:    = help: try another target; if it fails there, too, report it with the function
