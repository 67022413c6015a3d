# FOR: (int64)
def f(x):
    return x + 100000000000000000000000  #! E0502 does not fit in 64 bits
