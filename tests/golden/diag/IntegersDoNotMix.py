# FOR: (uint64, int64)
def f(a, b):
    return a + b  #! E0204 cannot apply '+' to uint64 and int64: no integer type holds both

# CHECK: error[E0204]: cannot apply '+' to uint64 and int64: no integer type holds both
# CHECK:   --> tests/golden/diag/IntegersDoNotMix.py:3:14
# CHECK:    |
# CHECK: 3  |     return a + b  #! E0204 cannot apply '+' to uint64 and int64: no integer type holds both
# CHECK:    |              ^
# CHECK:    |            - this is uint64, from the argument 'a'
# CHECK:    |                - this is int64, from the argument 'b'
# CHECK:    = help: say which you mean: device.int64(x) for the uint64 operand, or device.uint64(x) for the int64 operand
# CHECK: 3  +     return device.int64(a) + b  #! E0204 cannot apply '+' to uint64 and int64: no integer type holds both

# EDITED: compiles
