# FOR: (float)
def scale(x, by):
    return x * by


def f(x):
    return scale(x)  #! E0305 needs an argument for 'by'
