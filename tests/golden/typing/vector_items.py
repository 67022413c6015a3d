# SHOW: typed
# FOR: (int32)
# ONLY: ->|return
from hetjit import device
def total(v):
    s = 0
    for e in v:
        s = s * 10 + e
    return s
def f(x):
    v = device.int32x3(x, x + 1, x + 2)
    a, b, c = v
    first, *rest = v
    w = v
    for i in range(3):
        w[i] = v[2 - i]
    t = tuple(v)
    return total(v), a + b * c, first + len(rest), total(w), x + 1 in v, t[1], sum(v), max(v), abs(-v).z, v.dtype is device.int32

# CHECK: f(x: i32) -> (i32, i32, i32, i32, bool, i32, i32, i32, i32, bool)
# CHECK:   return v64                                18:4-129
# CHECK: total(v.0: i32, v.1: i32, v.2: i32) -> i32
# CHECK:   return v4                                 @1 9:4-12
# RUN: f(1) == (123, 7, 3, 321, True, 2, 6, 3, 3, True)
