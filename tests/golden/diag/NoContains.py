# FOR: (float32, float32[::1])
def f(x, a):
    return x in a  #! E0214 'in' does not search

# CHECK: error[E0214]: 'in' does not search float32[::1] in a compiled function
# CHECK:   --> tests/golden/diag/NoContains.py:3:17
# CHECK:    |
# CHECK: 3  |     return x in a  #! E0214 'in' does not search
# CHECK:    |                 ^
# CHECK:    |                 - this is float32[::1], from the argument 'a'
# CHECK:    = help: search it in a loop: found = found or a[i] == x
