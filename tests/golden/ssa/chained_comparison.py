# SHOW: ssa
def f(a, b, c):
    return a < b <= c
# RUN: f(1, 2, 2) == PYTHON
# RUN: f(3, 2, 5) == PYTHON
