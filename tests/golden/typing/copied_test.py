# FOR: (int)
# ONLY: ->
from hetjit import device


def copied_test(n):
    """CPython may write a loop's test twice, of which the first sees a literal: it is a number of run time all the same."""
    w, rounds = -1, 0
    while device.uint16(w) != n:
        w += 1
        rounds += 1
    return rounds

# CHECK: copied_test(n: i32) -> i32
# RUN: copied_test(3) == 4
# RUN: copied_test(65535) == 0
