# FOR: (float)
def f(x):
    print(f"{x:d}")  #! E0319 'd' is no format of float
