# FOR: (int)
WEIGHTS = [1.0, 2.0]


def f(i):
    return WEIGHTS[i]  #! E0311 cannot be used in a compiled function
