# KERNEL: yes
# FOR: (float32x3[:])
def f(ps):
    for p in ps:
        if p.x > 0:
            p.y = 1  #! E0321 'p' gets a new value here that nothing reads
        else:
            p = ps[0]

# CHECK: error[E0321]: 'p' gets a new value here that nothing reads
# CHECK:   --> tests/golden/diag/LostAssignment.iterated.py:6:13
# CHECK:    |
# CHECK: 4  |     for p in ps:
# CHECK:    |     ------------... the element stays as it is
# CHECK: ...
# CHECK: 6  |             p.y = 1  #! E0321 'p' gets a new value here that nothing reads
# CHECK:    |             ^^^
# CHECK:    = help: write the element: a[i] = a[i].replace(y=…)
