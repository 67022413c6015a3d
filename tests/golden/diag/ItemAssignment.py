# FOR: (int, float)
def f(a, b):
    t = a, b
    t[0] = b  #! E0408 cannot be assigned
    return t
