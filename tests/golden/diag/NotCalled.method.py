# KERNEL: yes
# FOR: (float32x3[:])
def f(a):
    a[0].replace  #! E0320 'a[0].replace' is named, but not called

# CHECK: error[E0320]: 'a[0].replace' is named, but not called
# CHECK:   --> tests/golden/diag/NotCalled.method.py:4:5
# CHECK:    |
# CHECK: 4  |     a[0].replace  #! E0320 'a[0].replace' is named, but not called
# CHECK:    |     ^^^^^^^^^^^^
# CHECK:    = help: write a[0].replace()
# CHECK: 4  +     a[0].replace()  #! E0320 'a[0].replace' is named, but not called

# EDITED: compiles
