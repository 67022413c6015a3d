# FOR: (float32, float32[::1])
def f(x, a):
    return x in a  #! E0214 'in' does not search
