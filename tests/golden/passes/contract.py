# SHOW: optimized
# FOR: (float32, float32, float32)
def f(a, b, c):
    return a * b + c, c - a * b
