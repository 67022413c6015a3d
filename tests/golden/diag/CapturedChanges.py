# FOR: (int)
def f(x):
    k = x
    g = lambda y: y + k
    k = k * 2  #! E0123 'k' gets another value
    return g(x)
