# FOR: (int)
def f(x):
    return x(1)  #! E0303 cannot be called

# CHECK: error[E0303]: int cannot be called in a compiled function
# CHECK:   --> tests/golden/diag/NotCallable.py:3:12
# CHECK:    |
# CHECK: 3  |     return x(1)  #! E0303 cannot be called
# CHECK:    |            ^
# CHECK:    |            - this is int, from the argument 'x'
# CHECK:    = help: it is a value already: leave '()' out; a product is a * b
