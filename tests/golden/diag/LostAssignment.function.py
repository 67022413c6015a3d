# KERNEL: yes
# FOR: (float32x3[:])
def moved(p):
    p[0] = p.y  #! E0321 'p' gets a new value here that nothing reads


def f(ps):
    moved(ps[0])

# CHECK: error[E0321]: 'p' gets a new value here that nothing reads
# CHECK:   --> tests/golden/diag/LostAssignment.function.py:4:5
# CHECK:    |
# CHECK: 4  |     p[0] = p.y  #! E0321 'p' gets a new value here that nothing reads
# CHECK:    |     ^^^^
# CHECK:   ::: tests/golden/diag/LostAssignment.function.py:8:5
# CHECK:    |
# CHECK: 8  |     moved(ps[0])
# CHECK:    |     ------------ called here with (float32x3)
# CHECK:    = note: an argument is a value: the caller's stays as it is
# CHECK:    = help: return the new value, and assign it where this is called
