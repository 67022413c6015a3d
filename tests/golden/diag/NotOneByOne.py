# KERNEL: yes
# FOR: (int32[:])
def f(x):
    for v in (x[i + j] for i in range(2) for j in range(2)):  #! E0223 'for' takes the elements of a generator expression one by one
        x[0] += v

# CHECK: error[E0223]: 'for' takes the elements of a generator expression one by one, which this one cannot give
# CHECK:   --> tests/golden/diag/NotOneByOne.py:4:14
# CHECK:    |
# CHECK: 4  |     for v in (x[i + j] for i in range(2) for j in range(2)):  #! E0223 'for' takes the elements of a generator expression one by one
# CHECK:    |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    = help: compute all elements before: tuple(...), or write loops
