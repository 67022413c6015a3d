# FOR: (int)
def f(x):
    return range(x)  #! E0219 'f' returns
