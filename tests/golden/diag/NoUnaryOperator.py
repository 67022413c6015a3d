# FOR: (float32)
def f(x):
    return ~x  #! E0203 cannot apply '~' to float32

# CHECK: error[E0203]: cannot apply '~' to float32
# CHECK:   --> tests/golden/diag/NoUnaryOperator.py:3:13
# CHECK:    |
# CHECK: 3  |     return ~x  #! E0203 cannot apply '~' to float32
# CHECK:    |             ^
# CHECK:    |             - this is float32, from the argument 'x'
# CHECK:    = help: '~' is for integers and bools: -x negates, 'not' inverts a condition; the bits of one float are x.view(device.int32); of an array bits = x.view(device.int32), then bits[i] = ~bits[i]
