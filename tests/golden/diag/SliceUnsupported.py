# FOR: (float32[::1])
def f(x):
    y = x[1:3]  #! E0409 cannot be sliced
    return y[0]

# CHECK: error[E0409]: float32[::1] cannot be sliced in a compiled function
# CHECK:   --> tests/golden/diag/SliceUnsupported.py:3:11
# CHECK:    |
# CHECK: 3  |     y = x[1:3]  #! E0409 cannot be sliced
# CHECK:    |           ^^^
# CHECK:    = help: index every axis with an integer, in a loop where many elements are meant
