# FOR: (int)
def f(x):
    if x > 0:
        return x
    return x, x  #! E0210 'f' returns

# CHECK: error[E0210]: 'f' returns int on one path and tuple[int, int] on another
# CHECK:   --> tests/golden/diag/ReturnTypesDisagree.py:5:5
# CHECK:    |
# CHECK: 4  |         return x
# CHECK:    |         -------- this returns int
# CHECK: 5  |     return x, x  #! E0210 'f' returns
# CHECK:    |     ^^^^^^^^^^^
# CHECK:    |     ----------- this returns tuple[int, int]
# CHECK:    = help: return the same type on every path, as float(x) makes it
