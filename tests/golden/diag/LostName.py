# FOR: (float32[:],)
# KERNEL: yes
def clear(x):
    x = 0  #! W0721 'x' is a name for something else from here on, which nothing reads

# CHECK: warning[W0721]: 'x' is a name for something else from here on, which nothing reads: the array stays as it is
# CHECK:   --> tests/golden/diag/LostName.py:4:5
# CHECK:    |
# CHECK: 4  |     x = 0  #! W0721 'x' is a name for something else from here on, which nothing reads
# CHECK:    |     ^
# CHECK:    = help: assign to elements, as in x[i] = value; which of two arrays is which is exchanged where the kernel is launched
