# SHOW: ssa
def f(x):
    if (y := x * 2) > 10:
        return y
    return x
# RUN: f(6) == PYTHON
# RUN: f(2) == PYTHON
