# SHOW: typed
# FOR: (int, float)
def f(a, b):
    t = a, (b, a)
    x, (y, z) = t
    return y, x + z, t[1][0]
# RUN: f(2, 0.5) == PYTHON
