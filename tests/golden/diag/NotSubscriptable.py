# FOR: (int)
def f(x):
    return x[0]  #! E0218 int cannot be indexed
