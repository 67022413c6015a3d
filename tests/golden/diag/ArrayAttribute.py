# FOR: (float32[::1])
def f(x):
    return x.flags  #! E0405 arrays have no 'flags'
