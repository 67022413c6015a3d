# KERNEL: yes
# FOR: (float32x3[:])
def f(a):
    a[0].x = 1  #! E0315 cannot assign attribute 'x' of float32x3

# CHECK: error[E0315]: cannot assign attribute 'x' of float32x3
# CHECK:   --> tests/golden/diag/AttributeAssignment.element.py:4:5
# CHECK:    |
# CHECK: 4  |     a[0].x = 1  #! E0315 cannot assign attribute 'x' of float32x3
# CHECK:    |     ^^^^
# CHECK:    = help: values do not change; assign a new one: a[i] = a[i].replace(x=…)
# CHECK: 4  +     a[0] = a[0].replace(x=1)  #! E0315 cannot assign attribute 'x' of float32x3

# EDITED: compiles
