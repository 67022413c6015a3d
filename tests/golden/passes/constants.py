# SHOW: optimized
# FOR: (int)
N = 4
def f(x):
    m = N * 2 - 1
    return x + m * m

# CHECK: f(x: i32) -> i32
# CHECK: b0(v0: i32):
# CHECK:   v1: i32 = const 49                        6:11-20
# CHECK:   v2: i32 = add v0, v1                      6:11-20
# CHECK:   return v2                                 6:4-20
# RUN: f(1) == PYTHON
