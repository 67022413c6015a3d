# FOR: (float32[::1],)
def f(x):
    return max(x)  #! E0212 'max' takes two or more numbers

# CHECK: error[E0212]: 'max' takes two or more numbers, or a tuple of them, not float32[::1]
# CHECK:   --> tests/golden/diag/ArgumentType.largest.py:3:16
# CHECK:    |
# CHECK: 3  |     return max(x)  #! E0212 'max' takes two or more numbers
# CHECK:    |                ^
# CHECK:    |                - this is float32[::1], from the argument 'x'
# CHECK:    = help: keep the one so far in a loop, beginning with the first: for v in x: best = max(best, v)
