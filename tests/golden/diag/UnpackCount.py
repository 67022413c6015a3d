# FOR: (int)
def f(x):
    a, b = x, x, x  #! E0216 cannot unpack
    t = (x, x, x)
    a, b = t if x is not None else t
    return a
