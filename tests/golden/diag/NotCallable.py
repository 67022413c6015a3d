# FOR: (int)
def f(x):
    return x(1)  #! E0303 cannot be called
