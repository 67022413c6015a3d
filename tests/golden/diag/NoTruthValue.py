# FOR: (float32[::1])
def f(x):
    if x:  #! E0207 is neither true nor false
        return 1
    return 0

# CHECK: error[E0207]: float32[::1] is neither true nor false
# CHECK:   --> tests/golden/diag/NoTruthValue.py:3:8
# CHECK:    |
# CHECK: 3  |     if x:  #! E0207 is neither true nor false
# CHECK:    |        ^
# CHECK:    |        - this is float32[::1], from the argument 'x'
# CHECK:    = help: test an element or the length: len(a) > 0
