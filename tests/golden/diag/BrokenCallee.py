# FOR: (float)
def broken(x):
    with x:
        return 1


def f(x):
    return broken(x)  #! E0316 'broken' cannot be compiled

# CHECK: error[E0316]: 'broken' cannot be compiled: 'try' and 'with' are not supported in a compiled function
# CHECK:   --> tests/golden/diag/BrokenCallee.py:8:12
# CHECK:    |
# CHECK: 8  |     return broken(x)  #! E0316 'broken' cannot be compiled
# CHECK:    |            ^^^^^^^^^
# CHECK:   ::: tests/golden/diag/BrokenCallee.py:3:5
# CHECK:    |
# CHECK: 3  |     with x:
# CHECK:    |     -------... here
# CHECK:    = help: leave 'with' out: files, locks and streams are the host's
