# FOR: (int)
def f(x):
    pairs = zip((x, 1), (2, 3))
    total = 0
    for a, b in pairs:
        total += a * b
    for a, b in pairs:  #! E0222 this iterator may have been gone through before
        total -= a
    return total

# CHECK: error[E0222]: this iterator may have been gone through before: then nothing is left of it
# CHECK:   --> tests/golden/diag/IteratorSpent.py:7:5
# CHECK:    |
# CHECK: 5  |     for a, b in pairs:
# CHECK:    |     ------------------... its elements are taken here
# CHECK: ...
# CHECK: 7  |     for a, b in pairs:  #! E0222 this iterator may have been gone through before
# CHECK:    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...
# CHECK:    = help: make it anew each time, or keep its elements: tuple(...)
