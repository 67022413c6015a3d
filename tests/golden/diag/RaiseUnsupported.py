# FOR: (float)
def f(x):
    if x < 0:
        raise ValueError("negative")  #! E0317 'raise' and 'assert' are not supported
    return x
