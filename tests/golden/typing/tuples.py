# SHOW: typed
# FOR: (int, float)
def f(a, b):
    t = a, (b, a)
    x, (y, z) = t
    return y, x + z, t[1][0]

# CHECK: f(a: i32, b: f32) -> (f32, i32, f32)
# CHECK: b0(v0: i32, v1: f32):
# CHECK:   v2: i32 = add v0, v0                      6:14-19
# CHECK:   v3: (f32, i32, f32) = tuple v1, v2, v1    6:4-28
# CHECK:   return v3                                 6:4-28
# RUN: f(2, 0.5) == PYTHON
