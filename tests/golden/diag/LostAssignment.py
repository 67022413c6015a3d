# KERNEL: yes
# FOR: (float32x3)
def f(r):
    r.x = 1  #! E0321 'r' gets a new value here that nothing reads

# CHECK: error[E0321]: 'r' gets a new value here that nothing reads
# CHECK:   --> tests/golden/diag/LostAssignment.py:4:5
# CHECK:    |
# CHECK: 4  |     r.x = 1  #! E0321 'r' gets a new value here that nothing reads
# CHECK:    |     ^^^
# CHECK:    = note: an argument is a value: the caller's stays as it is
# CHECK:    = help: pass an array and write its element: a[i] = a[i].replace(x=…)
