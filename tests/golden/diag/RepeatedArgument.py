# FOR: (float)
def scale(x, by=2):
    return x * by


def f(x):
    return scale(x, x=3)  #! E0307 gets two values for 'x'
