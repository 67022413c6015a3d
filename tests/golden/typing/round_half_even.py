# SHOW: typed
# FOR: (float64)
def f(x):
    return round(x)
# RUN: f(float64(2.5)) == 2
# RUN: f(float64(-3.5)) == -4
