# FOR: (int8)
def f(x):
    return x + 300  #! E0501 300 does not fit in int8

# CHECK: error[E0501]: 300 does not fit in int8
# CHECK:   --> tests/golden/diag/LiteralTooLarge.py:3:16
# CHECK:    |
# CHECK: 3  |     return x + 300  #! E0501 300 does not fit in int8
# CHECK:    |                ^^^
# CHECK:    = note: int8 holds -128 to 127
# CHECK:    = help: a wider format holds it: convert what it meets, as in device.int64(x), or store it in an array of wider elements
