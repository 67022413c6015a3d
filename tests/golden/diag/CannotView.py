# FOR: (float32[:])
from hetjit import device
def f(x):
    return x.view(device.int64)[0]  #! E0414 cannot view float32[:] as int64

# CHECK: error[E0414]: cannot view float32[:] as int64: their sizes differ and the array is not known to be contiguous
# CHECK:   --> tests/golden/diag/CannotView.py:4:12
# CHECK:    |
# CHECK: 4  |     return x.view(device.int64)[0]  #! E0414 cannot view float32[:] as int64
# CHECK:    |            ^^^^^^
# CHECK:    = help: view an array in C order: annotate the parameter with float32[::1], or convert element by element
