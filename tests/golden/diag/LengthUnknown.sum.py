# FOR: (float32[::1],)
def f(x):
    return sum(x)  #! E0240 'sum' takes a known number of elements

# CHECK: error[E0240]: 'sum' takes a known number of elements, which float32[::1] does not have
# CHECK:   --> tests/golden/diag/LengthUnknown.sum.py:3:16
# CHECK:    |
# CHECK: 3  |     return sum(x)  #! E0240 'sum' takes a known number of elements
# CHECK:    |                ^
# CHECK:    |                - this is float32[::1], from the argument 'x'
# CHECK:    = help: go through it in a loop, or by a generator expression: sum(v for v in x)
