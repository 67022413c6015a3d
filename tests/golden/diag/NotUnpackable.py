# FOR: (int)
def f(x):
    a, b = x  #! E0215 cannot unpack int
    return a
