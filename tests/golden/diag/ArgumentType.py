# FOR: (float)
import math


def f(x):
    return math.sin((x, x))  #! E0212 takes
