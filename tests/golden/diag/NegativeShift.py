# FOR: (int)
def f(x):
    return x << -2  #! E0503 cannot shift by -2
