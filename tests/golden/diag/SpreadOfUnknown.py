# FOR: (float32[::1])
def add(a, b):
    return a + b


def f(x):
    return add(*x)  #! E0314 '*' spreads a tuple into arguments

# CHECK: error[E0314]: '*' spreads a tuple into arguments, not float32[::1]
# CHECK:   --> tests/golden/diag/SpreadOfUnknown.py:7:16
# CHECK:    |
# CHECK: 7  |     return add(*x)  #! E0314 '*' spreads a tuple into arguments
# CHECK:    |                ^^
# CHECK:    |                -- this is float32[::1], from the argument 'x'
# CHECK:    = help: pass the elements that you need: f(x[0], x[1])
