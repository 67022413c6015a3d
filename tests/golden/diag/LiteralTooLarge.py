# FOR: (int8)
def f(x):
    return x + 300  #! E0501 300 does not fit in int8
