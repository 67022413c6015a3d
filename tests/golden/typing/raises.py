# FOR: (float, int)
# An exception ends a thread: `raise` is a terminator, its site a line at the end. A constant condition decides.
def f(x, n):
    assert n.dtype == int, "not compiled"
    assert x >= 0, f"{x:.2f} of {n}"
    if n > 3:
        raise IndexError("too many")
    return x
