# KERNEL: yes
# FOR: (float32x3[:], float32)
def f(ps, step):
    for i in range(len(ps)):
        p = ps[i]
        p.x += step  #! E0321 'p' gets a new value here that nothing reads

# CHECK: error[E0321]: 'p' gets a new value here that nothing reads
# CHECK:   --> tests/golden/diag/LostAssignment.element.py:6:9
# CHECK:    |
# CHECK: 5  |         p = ps[i]
# CHECK:    |             ----- the element stays as it is
# CHECK: 6  |         p.x += step  #! E0321 'p' gets a new value here that nothing reads
# CHECK:    |         ^^^
# CHECK:    = help: write the element: ps[i] = ps[i].replace(x=…)
