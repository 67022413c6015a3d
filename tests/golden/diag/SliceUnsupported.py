# FOR: (float32[::1])
def f(x):
    y = x[1:3]  #! E0409 cannot be sliced
    return y[0]
