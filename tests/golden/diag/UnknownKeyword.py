# FOR: (float)
def scale(x, by=2):
    return x * by


def f(x):
    return scale(x, factor=3)  #! E0306 has no parameter 'factor'
