# FOR: (float32[::1], float32[::1])
def f(x, y):
    return x + y  #! E0208 '+' does not work on whole arrays
