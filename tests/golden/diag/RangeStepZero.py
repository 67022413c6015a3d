# FOR: (int)
def f(n):
    total = 0
    for i in range(0, n, 0):  #! E0504 the step of a range cannot be 0
        total += i
    return total

# CHECK: error[E0504]: the step of a range cannot be 0
# CHECK:   --> tests/golden/diag/RangeStepZero.py:4:26
# CHECK:    |
# CHECK: 4  |     for i in range(0, n, 0):  #! E0504 the step of a range cannot be 0
# CHECK:    |                          ^
# CHECK:    = help: leave the step out, or let it be 1 or more, or negative to count down
