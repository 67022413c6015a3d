# FOR: (int)
def f(x):
    y = b"text"  #! E0507 a constant of type bytes cannot be used
    return x + y

# CHECK: error[E0507]: a constant of type bytes cannot be used in a compiled function
# CHECK:   --> tests/golden/diag/UnusableConstant.py:3:9
# CHECK:    |
# CHECK: 3  |     y = b"text"  #! E0507 a constant of type bytes cannot be used
# CHECK:    |         ^^^^^^^
# CHECK:    = help: pass it as an array of numbers
