# FOR: (int)
def f(x):
    return float((x, x))  #! E0209 cannot convert
