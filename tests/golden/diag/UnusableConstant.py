# FOR: (int)
def f(x):
    y = b"text"  #! E0507 a constant of type bytes cannot be used
    return x + y

