# SHOW: typed
# FOR: (float64)
def f(x):
    return int(x)
# RUN: f(float64(-2.9)) == -2
# RUN: f(float64(1e30)) == 2147483647
# RUN: f(float64(nan)) == 0
