# KERNEL: yes
# FOR: (float32x3[:])
def f(a):
    a[0][0] = 1  #! E0408 the items of float32x3 cannot be assigned

# CHECK: error[E0408]: the items of float32x3 cannot be assigned
# CHECK:   --> tests/golden/diag/ItemAssignment.element.py:4:5
# CHECK:    |
# CHECK: 4  |     a[0][0] = 1  #! E0408 the items of float32x3 cannot be assigned
# CHECK:    |     ^^^^
# CHECK:    = help: values do not change; assign a new one: a[i] = a[i].replace(index, value)
# CHECK: 4  +     a[0] = a[0].replace(0, 1)  #! E0408 the items of float32x3 cannot be assigned

# EDITED: compiles
