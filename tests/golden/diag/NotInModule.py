# FOR: (int)
import math


def f(x):
    return math.factorial(x)  #! E0310 'math.factorial' is not available
