# FOR: (float32[::1])
def add(a, b):
    return a + b


def f(x):
    return add(*x)  #! E0314 '*' spreads a tuple into arguments
