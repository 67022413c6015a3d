# SHOW: typed
# FOR: (int32)
# FOR: (float32)
def f(x):
    return x ** 5

# CHECK: f(x: i32) -> i32
# CHECK: b0(v0: i32):
# CHECK:   v1: i32 = mul v0, v0                      5:11-17
# CHECK:   v2: i32 = mul v1, v1                      5:11-17
# CHECK:   v3: i32 = mul v0, v2                      5:11-17
# CHECK:   return v3                                 5:4-17
# CHECK: f(x: f32) -> f32
# CHECK: b0(v0: f32):
# CHECK:   v1: f32 = mul v0, v0                      5:11-17
# CHECK:   v2: f32 = mul v1, v1                      5:11-17
# CHECK:   v3: f32 = mul v0, v2                      5:11-17
# CHECK:   return v3                                 5:4-17
# RUN: f(int32(-3)) == PYTHON
# RUN: f(int32(100)) == int32(1410065408)
