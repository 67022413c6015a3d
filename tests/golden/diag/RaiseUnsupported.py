# FOR: (float)
def f(x):
    if x < 0:
        raise x  #! E0317 cannot raise float
    return x

# CHECK: error[E0317]: cannot raise float in a compiled function
# CHECK:   --> tests/golden/diag/RaiseUnsupported.py:4:9
# CHECK:    |
# CHECK: 4  |         raise x  #! E0317 cannot raise float
# CHECK:    |         ^^^^^^^
# CHECK:    = note: 'x' is float, from the argument 'x'
# CHECK:    = help: raise one of Python's built-in exceptions, with a text: raise ValueError("…")
