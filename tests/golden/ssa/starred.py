# SHOW: ssa
def f(a, b, c):
    first, *middle, last = a, b, c, a
    return last, middle[0], first + middle[1]
# RUN: f(1, 2, 3) == PYTHON
