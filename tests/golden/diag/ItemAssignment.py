# FOR: (int, float)
def f(a, b):
    t = a, b
    t[0] = b  #! E0408 cannot be assigned
    return t

# CHECK: error[E0408]: the items of tuple[int, float] cannot be assigned
# CHECK:   --> tests/golden/diag/ItemAssignment.py:4:5
# CHECK:    |
# CHECK: 4  |     t[0] = b  #! E0408 cannot be assigned
# CHECK:    |     ^
# CHECK:    |     - this is tuple[int, float], from line 3
# CHECK:    = help: a list or tuple does not change here: device.local_array(n, device.float32) has elements that do; or build a new one
