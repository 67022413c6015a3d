# FOR: (int)
def f(n):
    def g(n, t):
        return t if n < 2 else g(n - 1, (n, t))
    return g(n, 1)[0]  #! E0312 'g' calls itself with ever new types

# CHECK: error[E0312]: 'g' calls itself with ever new types
# CHECK:   --> tests/golden/diag/RecursionUnsupported.py:5:12
# CHECK:    |
# CHECK: 5  |     return g(n, 1)[0]  #! E0312 'g' calls itself with ever new types
# CHECK:    |            ^^^^^^^
# CHECK:    = help: let all calls pass and return values of the same types, or write a loop
