# FOR: (int)
def f(x):
    if x > 0:
        return x
    return x, x  #! E0210 'f' returns
