# FOR: (int)
def f(x):
    k = x
    g = (y + k for y in range(x))
    k = k * 2  #! E0123 'k' gets another value while a generator expression
    return sum(g)

# CHECK: error[E0123]: 'k' gets another value while a generator expression that uses it is still in use
# CHECK:   --> tests/golden/diag/CapturedChanges.generator.py:5:5
# CHECK:    |
# CHECK: 4  |     g = (y + k for y in range(x))
# CHECK:    |         ------------------------- this generator expression uses it
# CHECK: 5  |     k = k * 2  #! E0123 'k' gets another value while a generator expression
# CHECK:    |     ^
# CHECK: 6  |     return sum(g)
# CHECK:    |            ------ and is used again here
# CHECK:    = help: go through it before the assignment, or write it behind the assignment
