# FOR: (float)
def f(x):
    if x < 0:
        raise ValueError("negative")  #! E0317 'raise' and 'assert' are not supported
    return x

# CHECK: error[E0317]: 'raise' and 'assert' are not supported in a compiled function
# CHECK:   --> tests/golden/diag/RaiseUnsupported.py:4:9
# CHECK:    |
# CHECK: 4  |         raise ValueError("negative")  #! E0317 'raise' and 'assert' are not supported
# CHECK:    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    = help: return early, or write an error code to an array
