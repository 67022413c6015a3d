# SHOW: typed
# FOR: (int64, float16)
# FOR: (uint8, int8)
# FOR: (float, int16)
# FOR: (float16, float32)
def add(a, b):
    return a + b
# RUN: add(uint8(200), int8(-100)) == PYTHON
