# KERNEL: yes
# ROW: HETX-MEM-1
# FOR: (float32[::1])
from hetjit import device


def f(x):
    tile = device.shared_array((4, -1), float)  #! E0416 an extent of 'shared_array' is 1 or more, not -1
    x[0] = tile[0, 0]

# CHECK: error[E0416]: an extent of 'shared_array' is 1 or more, not -1
# CHECK:   --> tests/golden/diag/ArrayExtent.py:8:32
# CHECK:    |
# CHECK: 8  |     tile = device.shared_array((4, -1), float)  #! E0416 an extent of 'shared_array' is 1 or more, not -1
# CHECK:    |                                ^^^^^^^
# CHECK:    = help: count the elements: 1 or more on each axis
