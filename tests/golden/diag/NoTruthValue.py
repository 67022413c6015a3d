# FOR: (float32[::1])
def f(x):
    if x:  #! E0207 is neither true nor false
        return 1
    return 0
