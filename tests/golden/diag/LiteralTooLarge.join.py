# FOR: (int, uint32)
def f(x, t):
    v = -1  #! E0501 -1 does not fit in uint32
    if x > 3:
        v = t
    return v

# CHECK: error[E0501]: -1 does not fit in uint32
# CHECK:   --> tests/golden/diag/LiteralTooLarge.join.py:3:9
# CHECK:    |
# CHECK: 3  |     v = -1  #! E0501 -1 does not fit in uint32
# CHECK:    |         ^^
# CHECK:    = note: the argument 't' is uint32
# CHECK:    = help: convert what it meets to a signed format: int(...)
