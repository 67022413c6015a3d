# SHOW: ssa
def f(x):
    assert x > 0
    assert x < 10, "large"
    if x == 5:
        raise ValueError
    return x
