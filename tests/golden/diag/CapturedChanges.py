# FOR: (int)
def f(x):
    k = x
    g = lambda y: y + k
    k = k * 2  #! E0123 'k' gets another value
    return g(x)

# CHECK: error[E0123]: 'k' gets another value while a function that uses it is still in use
# CHECK:   --> tests/golden/diag/CapturedChanges.py:5:5
# CHECK:    |
# CHECK: 4  |     g = lambda y: y + k
# CHECK:    |         --------------- this function uses it
# CHECK: 5  |     k = k * 2  #! E0123 'k' gets another value
# CHECK:    |     ^
# CHECK: 6  |     return g(x)
# CHECK:    |            ---- and is used again here
# CHECK:    = help: pass the value as an argument, or make the function after the assignment
