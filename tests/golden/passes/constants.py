# SHOW: optimized
# FOR: (int)
N = 4
def f(x):
    m = N * 2 - 1
    return x + m * m
# RUN: f(1) == PYTHON
