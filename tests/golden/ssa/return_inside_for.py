# SHOW: ssa
def f(n, stop):
    for i in range(n):
        for j in range(i):
            if i * j == stop:
                return i + j
    return -1
# RUN: f(10, 12) == PYTHON
# RUN: f(2, 12) == PYTHON
