# FOR: (float)
def scale(x, /, by=2):
    return x * by


def f(y):
    return scale(x=y)  #! E0308 takes 'x' by position only
