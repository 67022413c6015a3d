# FOR: (int)
def f(x):
    return range(x)  #! E0219 'f' returns

# CHECK: error[E0219]: 'f' returns range, which cannot leave a compiled function
# CHECK:   --> tests/golden/diag/CannotReturn.py:3:5
# CHECK:    |
# CHECK: 3  |     return range(x)  #! E0219 'f' returns
# CHECK:    |     ^^^^^^^^^^^^^^^
# CHECK:    = help: return numbers, tuples or structs; what lives in the function ends with it
