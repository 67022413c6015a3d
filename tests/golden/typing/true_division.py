# SHOW: typed
# FOR: (int32, int32)
# FOR: (int, float64)
def divide(a, b):
    return a / b
# RUN: divide(int32(7), int32(2)) == float32(3.5)
# RUN: divide(1, float64(3)) == PYTHON
