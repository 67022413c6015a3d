# SHOW: typed
# FOR: (float32, float32)
def f(a, b):
    return min(a, b), max(a, b)
# RUN: f(float32(nan), float32(1)) == (nan, nan)
# RUN: f(float32(1), float32(nan)) == (1, 1)
