# SHOW: ssa
def f(x):
    k = x + 1
    def g(y):
        return y * k
    return g(x) + (lambda z: z - k)(3)
# RUN: f(4) == PYTHON
