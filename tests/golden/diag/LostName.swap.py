# FOR: (float32[:], float32[:], int)
# KERNEL: yes
from hetjit import device


def relax(x, y, turns):
    i = device.tid(1)
    for _ in range(turns):
        if 0 < i < len(x) - 1:
            y[i] = 0.5 * (x[i - 1] + x[i + 1])
        x, y = y, x  # read in the next turn: no word of that one
    x, y = y, x  #! W0721 'x' is a name for something else from here on, which nothing reads

# CHECK: warning[W0721]: 'x' is a name for something else from here on, which nothing reads: the array stays as it is
# CHECK:   --> tests/golden/diag/LostName.swap.py:12:5
# CHECK:    |
# CHECK: 12 |     x, y = y, x  #! W0721 'x' is a name for something else from here on, which nothing reads
# CHECK:    |     ^
# CHECK:    = help: assign to elements, as in x[i] = value; which of two arrays is which is exchanged where the kernel is launched
