# FOR: (int)
def f(x):
    return x + ofset  #! E0301 'ofset' is not defined
