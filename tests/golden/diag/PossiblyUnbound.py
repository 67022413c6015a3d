# FOR: (int)
def f(x):
    if x > 0:
        y = x * 2
    return y  #! E0302 'y' may be used before it is assigned

# CHECK: error[E0302]: 'y' may be used before it is assigned
# CHECK:   --> tests/golden/diag/PossiblyUnbound.py:5:12
# CHECK:    |
# CHECK: 3  |     if x > 0:
# CHECK:    |        ----- 'y' is not assigned when this is false
# CHECK: 4  |         y = x * 2
# CHECK:    |             ----- 'y' is int here
# CHECK: 5  |     return y  #! E0302 'y' may be used before it is assigned
# CHECK:    |            ^
# CHECK:    = help: assign 'y' on every path, for example before the 'if' or the loop
