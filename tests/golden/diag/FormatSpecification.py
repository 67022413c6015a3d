# FOR: (float)
def f(x):
    print(f"{x:d}")  #! E0319 'd' is no format of float

# CHECK: error[E0319]: 'd' is no format of float
# CHECK:   --> tests/golden/diag/FormatSpecification.py:3:11
# CHECK:    |
# CHECK: 3  |     print(f"{x:d}")  #! E0319 'd' is no format of float
# CHECK:    |           ^^^^^^^^
