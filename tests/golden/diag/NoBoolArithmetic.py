# FOR: (bool[::1])
def f(mask):
    return mask[0] + mask[1]  #! E0206 '+' is arithmetic, which bool elements do not have

# CHECK: error[E0206]: '+' is arithmetic, which bool elements do not have
# CHECK:   --> tests/golden/diag/NoBoolArithmetic.py:3:20
# CHECK:    |
# CHECK: 3  |     return mask[0] + mask[1]  #! E0206 '+' is arithmetic, which bool elements do not have
# CHECK:    |                    ^
# CHECK:    |            ------- this is bool
# CHECK:    |                      ------- this is bool
# CHECK:    = help: '&', '|' and '^' combine bools; to count them convert first: int(x)
# CHECK: 3  +     return int(mask[0]) + int(mask[1])  #! E0206 '+' is arithmetic, which bool elements do not have

# EDITED: compiles
