# FOR: (int)
def f(x):
    return float((x, x))  #! E0209 cannot convert

# CHECK: error[E0209]: cannot convert tuple[int, int] to float
# CHECK:   --> tests/golden/diag/NoConversion.py:3:18
# CHECK:    |
# CHECK: 3  |     return float((x, x))  #! E0209 cannot convert
# CHECK:    |                  ^^^^^^
# CHECK:    = help: convert each item or element by itself, as in float(t[0])
