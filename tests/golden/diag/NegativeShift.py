# FOR: (int)
def f(x):
    return x << -2  #! E0503 cannot shift by -2

# CHECK: error[E0503]: cannot shift by -2: a count is not negative
# CHECK:   --> tests/golden/diag/NegativeShift.py:3:17
# CHECK:    |
# CHECK: 3  |     return x << -2  #! E0503 cannot shift by -2
# CHECK:    |                 ^^
# CHECK:    = help: shift the other way: '>>'
