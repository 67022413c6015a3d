# FOR: (float32[::1])
def f(x):
    return x.shpae[0]  #! E0309 has no attribute 'shpae'
