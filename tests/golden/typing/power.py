# SHOW: typed
# FOR: (int32)
# FOR: (float32)
def f(x):
    return x ** 5
# RUN: f(int32(-3)) == PYTHON
# RUN: f(int32(100)) == int32(1410065408)
