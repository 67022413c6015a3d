# FOR: (int, float)
def f(a, b):
    t = a, b
    return t[2]  #! E0407 index 2 is out of range
