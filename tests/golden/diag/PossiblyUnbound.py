# FOR: (int)
def f(x):
    if x > 0:
        y = x * 2
    return y  #! E0302 'y' may be used before it is assigned
