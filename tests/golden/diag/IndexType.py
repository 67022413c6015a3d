# FOR: (float32[::1], int)
def f(x, i):
    return x[i / 2]  #! E0402 an index is an integer, not float
