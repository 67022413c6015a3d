# FOR: (int)
def f(x):
    y = "text"  # fine until it is used
    return x + y  #! E0507 cannot be used
