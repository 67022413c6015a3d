# KERNEL: yes
# FOR: (float32[::1])
from hetjit import device


def f(x):
    i = device.tid(4)  #! E0506 takes 1, 2 or 3 axes, not 4
    x[0] = 1

# CHECK: error[E0506]: 'tid' takes 1, 2 or 3 axes, not 4
# CHECK:   --> tests/golden/diag/AxisCount.py:7:20
# CHECK:    |
# CHECK: 7  |     i = device.tid(4)  #! E0506 takes 1, 2 or 3 axes, not 4
# CHECK:    |                    ^
# CHECK:    = help: say how many axes you want: i = device.tid(1), or i, j = device.tid(2), or i, j, k = device.tid(3)
