# FOR: (float32[::1])
def f(x):
    y = x[1:2.5]  #! E0409 the start, stop and step of a slice are integers
    return y[0]

# CHECK: error[E0409]: the start, stop and step of a slice are integers, not float
# CHECK:   --> tests/golden/diag/SliceBound.py:3:13
# CHECK:    |
# CHECK: 3  |     y = x[1:2.5]  #! E0409 the start, stop and step of a slice are integers
# CHECK:    |             ^^^
# CHECK:    = help: convert it: int(x)
# CHECK: 3  +     y = x[1:int(2.5)]  #! E0409 the start, stop and step of a slice are integers
# EDITED: compiles
