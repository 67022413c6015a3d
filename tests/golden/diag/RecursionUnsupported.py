# FOR: (int)
def f(n):
    return 1 if n < 2 else n * f(n - 1)  #! E0312 'f' calls itself

# CHECK: error[E0312]: 'f' calls itself, which a compiled function cannot
# CHECK:   --> tests/golden/diag/RecursionUnsupported.py:3:32
# CHECK:    |
# CHECK: 3  |     return 1 if n < 2 else n * f(n - 1)  #! E0312 'f' calls itself
# CHECK:    |                                ^^^^^^^^
# CHECK:    = help: write the recursion as a loop
