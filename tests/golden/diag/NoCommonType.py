# FOR: (uint64, int64, int)
def f(x, y, n):
    return x if n > 0 else y  #! E0220 no type holds both
