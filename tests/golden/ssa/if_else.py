# SHOW: ssa
def f(a, b):
    if a > b:
        x = a
    else:
        x = b
    return x
# RUN: f(int32(3), int32(5)) == PYTHON
# RUN: f(7, 5) == PYTHON
