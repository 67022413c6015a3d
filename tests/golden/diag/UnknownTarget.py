# TARGET: cuda:sm_12
# FOR: (int)
def f(x):
    return x  #! E0602 'sm_12' is not a known NVIDIA architecture

# CHECK: error[E0602]: cannot compile for cuda:sm_12: 'sm_12' is not a known NVIDIA architecture; known are sm_70, sm_72, sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_101, sm_101a, sm_101f, sm_103, sm_103a, sm_103f, sm_110, sm_110a, sm_110f, sm_120, sm_120a, sm_120f, sm_121, sm_121a, sm_121f
# CHECK:   --> tests/golden/diag/UnknownTarget.py:4:12
# CHECK:    |
# CHECK: 4  |     return x  #! E0602 'sm_12' is not a known NVIDIA architecture
# CHECK:    |            ^
# CHECK:    = help: python -m hetjit info lists this machine's devices and their targets
