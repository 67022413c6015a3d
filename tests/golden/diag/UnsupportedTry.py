# FOR: (float)
def f(x):
    try:  #! E0102 'try' and 'with' are not supported
        return 1 / x
    except ZeroDivisionError:
        return 0.0

# CHECK: error[E0102]: 'try' and 'with' are not supported in a compiled function
# CHECK:   --> tests/golden/diag/UnsupportedTry.py:3:5
# CHECK:    |
# CHECK: 3  |     try:  #! E0102 'try' and 'with' are not supported
# CHECK:    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...
# CHECK:    = help: test beforehand, as in 'if i < len(x)' or 'if divisor != 0'; raise and assert reach the host without a 'try', and what 'finally' has simply follows
