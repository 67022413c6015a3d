# SHOW: typed
# FOR: (int)
DEBUG = False
def f(x):
    if DEBUG:
        return x.nothing.of_the_kind
    return x + 1

# CHECK: f(x: i32) -> i32
# CHECK: b0(v0: i32):
# CHECK:   jump b1                                   5:4-6:36
# CHECK: b1():
# CHECK:   v1: i32 = const 1                         7:11-16
# CHECK:   v2: i32 = add v0, v1                      7:11-16
# CHECK:   return v2                                 7:4-16
# RUN: f(1) == PYTHON
