# FOR: (float)
def broken(x):
    with x:
        return 1


def f(x):
    return broken(x)  #! E0316 'broken' cannot be compiled
