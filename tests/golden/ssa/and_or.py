# SHOW: ssa
def f(a, b, c):
    return a and b or c
# RUN: f(1, 0, 5) == PYTHON
# RUN: f(1, 2, 5) == PYTHON
# RUN: f(0, 2, 0) == PYTHON
