# FOR: (int, int)
def f(i, n):
    return i in range(0, 100, n)  #! E0214 'in' does not search range

# CHECK: error[E0214]: 'in' does not search range in a compiled function
# CHECK:   --> tests/golden/diag/NoContains.range.py:3:17
# CHECK:    |
# CHECK: 3  |     return i in range(0, 100, n)  #! E0214 'in' does not search range
# CHECK:    |                 ^^^^^^^^^^^^^^^^
# CHECK:    = help: compare: start <= i < stop, of an int
