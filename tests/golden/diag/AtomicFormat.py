# KERNEL: yes
# ROW: HETX-AT-2
# FOR: (float32[::1])
from hetjit import device


def f(x):
    device.AtomicRef(x, 0).and_(1)  #! E0221 is for integers, not float32

# CHECK: error[E0221]: atomic 'and_' is for integers, not float32
# CHECK:   --> tests/golden/diag/AtomicFormat.py:8:5
# CHECK:    |
# CHECK: 8  |     device.AtomicRef(x, 0).and_(1)  #! E0221 is for integers, not float32
# CHECK:    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    = help: use an array of such elements; a view has the same bits: x.view(device.int32)
