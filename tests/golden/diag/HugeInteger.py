# FOR: (int64)
def f(x):
    return x + 100000000000000000000000  #! E0502 does not fit in 64 bits

# CHECK: error[E0502]: 100000000000000000000000 does not fit in 64 bits
# CHECK:   --> tests/golden/diag/HugeInteger.py:3:16
# CHECK:    |
# CHECK: 3  |     return x + 100000000000000000000000  #! E0502 does not fit in 64 bits
# CHECK:    |                ^^^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    = help: 64 bits hold up to 2**63 - 1, unsigned 2**64 - 1; write it as a float: 1e23
