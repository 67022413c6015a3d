# SHOW: ssa
def f(n):
    i = 0
    while i < n:
        i += 1
        if i > 7:
            break
    else:
        i = -1
    return i
# RUN: f(3) == PYTHON
# RUN: f(30) == PYTHON
