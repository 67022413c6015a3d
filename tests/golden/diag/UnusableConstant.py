# FOR: (int)
def f(x):
    y = "text"  # fine until it is used
    return x + y  #! E0507 cannot be used

# CHECK: error[E0201]: cannot apply '+' to int and str
# CHECK:   --> tests/golden/diag/UnusableConstant.py:4:14
# CHECK:    |
# CHECK: 4  |     return x + y  #! E0507 cannot be used
# CHECK:    |              ^
# CHECK:    |            - this is int, from the argument 'x'
# CHECK:    |                - this is str, from line 3
