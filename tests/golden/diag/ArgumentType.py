# FOR: (float)
import math


def f(x):
    return math.sin((x, x))  #! E0212 takes

# CHECK: error[E0212]: 'sin' takes real numbers, not tuple[float, float]
# CHECK:   --> tests/golden/diag/ArgumentType.py:6:21
# CHECK:    |
# CHECK: 6  |     return math.sin((x, x))  #! E0212 takes
# CHECK:    |                     ^^^^^^
# CHECK:    = help: call it with one item at a time, as in f(t[0])
