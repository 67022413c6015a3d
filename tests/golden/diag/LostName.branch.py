# FOR: (float32[:], float)
# KERNEL: yes
def scale(x, a):
    y = x
    if a > 0.0:
        x = y[1:]  #! W0721 'x' is a name for something else from here on, which nothing reads
        return
    x = x[2:]
    x[0] = a
    a = 0.0  # no array

# CHECK: warning[W0721]: 'x' is a name for something else from here on, which nothing reads: the array stays as it is
# CHECK:   --> tests/golden/diag/LostName.branch.py:6:9
# CHECK:    |
# CHECK: 6  |         x = y[1:]  #! W0721 'x' is a name for something else from here on, which nothing reads
# CHECK:    |         ^
# CHECK:    = help: assign to elements, as in x[i] = value; which of two arrays is which is exchanged where the kernel is launched
