# SHOW: typed
# FOR: (int64, int64)
# FOR: (float32, float64)
# FOR: (int, int)
def floor_div(a, b):
    return a // b
# RUN: floor_div(int64(7), int64(-2)) == -4
# RUN: floor_div(int64(-7), int64(2)) == PYTHON
# RUN: floor_div(int64(5), int64(0)) == 0
# RUN: floor_div(int32(-2147483648), int32(-1)) == int32(-2147483648)
# RUN: floor_div(float32(-7.5), float32(2)) == PYTHON
