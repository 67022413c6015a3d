# SHOW: optimized
# FOR: (float32, float32, float32)
def f(a, b, c):
    return a * b + c, c - a * b

# CHECK: f(a: f32, b: f32, c: f32) -> (f32, f32)
# CHECK: b0(v0: f32, v1: f32, v2: f32):
# CHECK:   v8: f32 = fma v0, v1, v2                  4:11-20
# CHECK:   v9: f32 = neg v0                          4:22-31
# CHECK:   v10: f32 = fma v9, v1, v2                 4:22-31
# CHECK:   v7: (f32, f32) = tuple v8, v10            4:4-31
# CHECK:   return v7                                 4:4-31
