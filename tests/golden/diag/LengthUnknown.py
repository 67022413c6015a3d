# FOR: (int)
def f(n):
    t = tuple(range(n))  #! E0240 takes a known number of elements
    return t[0]

# CHECK: error[E0240]: 'tuple' takes a known number of elements, which range does not have
# CHECK:   --> tests/golden/diag/LengthUnknown.py:3:15
# CHECK:    |
# CHECK: 3  |     t = tuple(range(n))  #! E0240 takes a known number of elements
# CHECK:    |               ^^^^^^^^
# CHECK:    = help: go through it in a loop, or with sum(), any() or all() of a generator expression
