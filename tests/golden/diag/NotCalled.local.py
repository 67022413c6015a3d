# KERNEL: yes
# FOR: (float32[:])
def f(a):
    def clear():
        a[0] = 0
    clear  #! E0320 'clear' is named, but not called

# CHECK: error[E0320]: 'clear' is named, but not called
# CHECK:   --> tests/golden/diag/NotCalled.local.py:6:5
# CHECK:    |
# CHECK: 6  |     clear  #! E0320 'clear' is named, but not called
# CHECK:    |     ^^^^^
# CHECK:    = help: write clear()
# CHECK: 6  +     clear()  #! E0320 'clear' is named, but not called

# EDITED: compiles
