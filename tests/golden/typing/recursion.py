# FOR: (int)
# Two functions that call each other: inferred until the results stay, with a count of how deep they are.
def f(n):
    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    return even(n)
