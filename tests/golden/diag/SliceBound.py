# FOR: (float32[::1])
def f(x):
    y = x[1:2.5]  #! E0409 the start, stop and step of a slice are integers
    return y[0]

# CHECK: error[E0409]: the start, stop and step of a slice are integers, not float
# CHECK:   --> tests/golden/diag/SliceBound.py:3:11
# CHECK:    |
# CHECK: 3  |     y = x[1:2.5]  #! E0409 the start, stop and step of a slice are integers
# CHECK:    |           ^^^^^
# CHECK:    = help: '//' divides integers to an integer, and int(n) converts: x[:len(x) // 2]
