# SHOW: typed
# FOR: (float32, int)
# FUNCTION: f
def poly(x, n, c=0.5):
    return x * n + c
def f(x, n):
    return poly(x, n) + poly(n=n, x=x, c=2)
# RUN: f(float32(1.5), 3) == PYTHON
