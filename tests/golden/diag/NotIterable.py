# FOR: (int)
def f(n):
    total = 0
    for i in n:  #! E0217 cannot iterate over int
        total += i
    return total

# CHECK: error[E0217]: cannot iterate over int in a compiled function
# CHECK:   --> tests/golden/diag/NotIterable.py:4:14
# CHECK:    |
# CHECK: 4  |     for i in n:  #! E0217 cannot iterate over int
# CHECK:    |              ^
# CHECK:    |              - this is int, from the argument 'n'
# CHECK:    = help: did you mean range(n)?
# CHECK: 4  +     for i in range(n):  #! E0217 cannot iterate over int

# EDITED: compiles
