# SHOW: typed
# FOR: (int, int, int)
def count(start, stop, step):
    n = 0
    for i in range(start, stop, step):
        n += i
    return n
# RUN: count(0, 10, 3) == PYTHON
# RUN: count(10, -5, -4) == PYTHON
# RUN: count(5, 5, 1) == PYTHON
# RUN: count(2147483640, 2147483647, 3) == int32(2147483633)
# RUN: count(0, 10, 0) == 0
