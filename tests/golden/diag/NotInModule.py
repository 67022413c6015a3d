# FOR: (int)
import math


def f(x):
    return math.factorial(x)  #! E0310 'math.factorial' is not available

# CHECK: error[E0310]: 'math.factorial' is not available in a compiled function
# CHECK:   --> tests/golden/diag/NotInModule.py:6:12
# CHECK:    |
# CHECK: 6  |     return math.factorial(x)  #! E0310 'math.factorial' is not available
# CHECK:    |            ^^^^^^^^^^^^^^
# CHECK:    = help: write it as a function of your own, or call it on the host and pass the result
