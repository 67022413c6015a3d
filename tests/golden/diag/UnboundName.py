# FOR: (int)
def f(x):
    return x + ofset  #! E0301 'ofset' is not defined

# CHECK: error[E0301]: 'ofset' is not defined
# CHECK:   --> tests/golden/diag/UnboundName.py:3:16
# CHECK:    |
# CHECK: 3  |     return x + ofset  #! E0301 'ofset' is not defined
# CHECK:    |                ^^^^^
# CHECK:    = help: assign it first, import it at the top of the module, or pass it as an argument
