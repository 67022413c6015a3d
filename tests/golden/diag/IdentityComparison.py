# FOR: (int, int)
def f(x, y):
    return x is y  #! E0213 'is' compares int and int
