# FOR: (int, float, int)
def f(a, b, i):
    return (a, b)[i]  #! E0406 the index of a tuple is a constant, not int
