# FOR: (float)
def f(x):
    if x < 0:
        raise x  #! E0317 cannot raise float
    return x
