# SHOW: typed
# FOR: (int, float)
# ONLY: ->|return|wrapindex|select
def f(i, x):
    t = (10, 20, 30)
    a, b = (i, x), (i, 2.5)
    return t[i], t[i - 2], (i, i + 1, 7)[i], a < b, a <= b, a > b, (1, i) >= (1, 2), (1,) < (1, i), t * 2 < t + t + t, i in t, t[::-1][0]

# RUN: f(1, 2.0) == PYTHON
# RUN: f(2, 2.5) == PYTHON
# RUN: f(0, 3.0) == PYTHON
# RUN: f(1, float("nan")) == PYTHON
