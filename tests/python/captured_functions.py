"""What test_capture.py captures and the recorder records."""

import math

SCALE = 2.5


def helper(x, y=3):
    return x * y + SCALE


def entry(x, n, *, flag=True):
    total = 0
    for i in range(n):
        if flag and i % 2:
            total += helper(x, i) + math.sqrt(x)
        else:
            a, *rest = (x, i, 2)
            total -= rest[0] if len(rest) > 1 else a
    return (lambda v: v + total)(x)
