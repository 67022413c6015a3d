# FOR: (float)
def f(x):
    try:  #! E0102 'try' and 'with' are not supported
        return 1 / x
    except ZeroDivisionError:
        return 0.0
