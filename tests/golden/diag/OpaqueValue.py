# FOR: (int)
WEIGHTS = [1.0, 2.0]


def f(i):
    return WEIGHTS[i]  #! E0311 cannot be used in a compiled function

# CHECK: error[E0218]: 'WEIGHTS' is a list, which cannot be indexed
# CHECK:   --> tests/golden/diag/OpaqueValue.py:6:12
# CHECK:    |
# CHECK: 6  |     return WEIGHTS[i]  #! E0311 cannot be used in a compiled function
# CHECK:    |            ^^^^^^^
# CHECK:    |            ------- this is 'WEIGHTS' is a list, which, the value of 'WEIGHTS'
