# FOR: (int)
def f(x):
    y = [x, 2]  #! E0101 is not supported in a compiled function
    return y[0]
