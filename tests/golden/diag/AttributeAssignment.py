# FOR: (float32[::1])
def f(x):
    x.shape = 3  #! E0315 cannot assign attribute 'shape'
    return x[0]
