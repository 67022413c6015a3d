# FOR: (float)
def scale(x, by):
    return x * by


def f(x):
    return scale(x, 2, 3)  #! E0304 takes
