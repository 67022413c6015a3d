# FOR: (float32)
def f(x):
    return ~x  #! E0203 cannot apply '~' to float32
