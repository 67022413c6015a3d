# SHOW: typed
# FOR: (int)
DEBUG = False
def f(x):
    if DEBUG:
        return x.nothing.of_the_kind
    return x + 1
# RUN: f(1) == PYTHON
