# FOR: (int, int)
def f(x, y):
    return (x, y) < y  #! E0205 cannot compare
