# FOR: (int)
def f(x):
    a, b = x  #! E0215 cannot unpack int
    return a

# CHECK: error[E0215]: cannot unpack int
# CHECK:   --> tests/golden/diag/NotUnpackable.py:3:5
# CHECK:    |
# CHECK: 3  |     a, b = x  #! E0215 cannot unpack int
# CHECK:    |     ^^^^
# CHECK:    = note: 'x' is int, from the argument 'x'
# CHECK:    = help: it is one value: assign it to one name; device.tid(2) gives two
