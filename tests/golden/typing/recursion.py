# FOR: (int)
# Two functions that call each other: inferred until the results stay, with a count of how deep they are.
def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def f(n):
    return even(n)

# RUN: f(0) == PYTHON
# RUN: f(7) == PYTHON
# RUN: f(10) == PYTHON
