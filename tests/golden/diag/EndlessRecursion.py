# FOR: (int)
def f(n):
    def g(n):
        return g(n + 1)  #! E0323 'g' never returns: every path of it calls it again
    return g(n)

# CHECK: error[E0323]: 'g' never returns: every path of it calls it again
# CHECK:   --> tests/golden/diag/EndlessRecursion.py:4:16
# CHECK:    |
# CHECK: 4  |         return g(n + 1)  #! E0323 'g' never returns: every path of it calls it again
# CHECK:    |                ^^^^^^^^
# CHECK:   ::: tests/golden/diag/EndlessRecursion.py:5:12
# CHECK:    |
# CHECK: 5  |     return g(n)
# CHECK:    |            ---- called here with (int)
# CHECK:    = help: give it a path that returns without a call, before the one that calls: if n > 100: return n
