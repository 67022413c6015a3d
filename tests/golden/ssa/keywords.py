# SHOW: ssa
# FUNCTION: f
def g(a, b=2, *, c=3):
    return a * 100 + b * 10 + c
def f(x):
    return g(x) + g(b=x, a=1) + g(x, c=x)
# RUN: f(5) == PYTHON
