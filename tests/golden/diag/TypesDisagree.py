# FOR: (bool)
def pick(flag):
    if flag:
        x = 1
    else:
        x = 2.5, 3
    return x  #! E0202 'x' is int on one path and tuple[float, int] on another

# CHECK: error[E0202]: 'x' is int on one path and tuple[float, int] on another
# CHECK:   --> tests/golden/diag/TypesDisagree.py:7:12
# CHECK:    |
# CHECK: 4  |         x = 1
# CHECK:    |             - 'x' is int here
# CHECK: ...
# CHECK: 6  |         x = 2.5, 3
# CHECK:    |             ------ 'x' is tuple[float, int] here
# CHECK: 7  |     return x  #! E0202 'x' is int on one path and tuple[float, int] on another
# CHECK:    |            ^
# CHECK:    = help: give 'x' one type on all paths, or use two names
