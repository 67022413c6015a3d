# FOR: (float32[::1], float32[::1])
def f(x, y):
    return x + y  #! E0208 '+' does not work on whole arrays

# CHECK: error[E0208]: '+' does not work on whole arrays in a compiled function
# CHECK:   --> tests/golden/diag/ArrayOperator.py:3:14
# CHECK:    |
# CHECK: 3  |     return x + y  #! E0208 '+' does not work on whole arrays
# CHECK:    |              ^
# CHECK:    |            - this is float32[::1], from the argument 'x'
# CHECK:    |                - this is float32[::1], from the argument 'y'
# CHECK:    = help: index the arrays: each thread computes one element, as in c[i] = a[i] + b[i]
