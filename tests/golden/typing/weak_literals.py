# SHOW: typed
# FOR: (int8)
# FOR: (float16)
# FOR: (float64)
# FOR: (int)
def scale(x):
    return x * 3 + 1
# RUN: scale(int8(100)) == int8(45)
# RUN: scale(float16(0.5)) == PYTHON
# RUN: scale(float64(0.1)) == PYTHON
