# SHOW: typed
# FOR: (float32, float32)
def f(a, b):
    return min(a, b), max(a, b)

# CHECK: f(a: f32, b: f32) -> (f32, f32)
# CHECK: b0(v0: f32, v1: f32):
# CHECK:   v2: bool = compare lt v1, v0              4:11-20
# CHECK:   v3: f32 = select v2, v1, v0               4:11-20
# CHECK:   v4: bool = compare gt v1, v0              4:22-31
# CHECK:   v5: f32 = select v4, v1, v0               4:22-31
# CHECK:   v6: (f32, f32) = tuple v3, v5             4:4-31
# CHECK:   return v6                                 4:4-31
# RUN: f(float32(nan), float32(1)) == (nan, nan)
# RUN: f(float32(1), float32(nan)) == (1, 1)
