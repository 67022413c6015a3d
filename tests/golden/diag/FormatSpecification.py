# FOR: (float)
def f(x):
    print(f"{x:d}")  #! E0319 'd' is no format of float

# CHECK: error[E0319]: 'd' is no format of float
# CHECK:   --> tests/golden/diag/FormatSpecification.py:3:11
# CHECK:    |
# CHECK: 3  |     print(f"{x:d}")  #! E0319 'd' is no format of float
# CHECK:    |           ^^^^^^^^
# CHECK:    = help: convert it, as in f"{int(x):d}", or format a float: f"{x:.3f}"
