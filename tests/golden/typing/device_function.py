# SHOW: typed
# FOR: (float32, int)
# FUNCTION: f
def poly(x, n, c=0.5):
    return x * n + c
def f(x, n):
    return poly(x, n) + poly(n=n, x=x, c=2)

# CHECK: f(x: f32, n: i32) -> f32
# CHECK: b0(v0: f32, v1: i32):
# CHECK:   v2: f32 = call 1 v0, v1                   7:11-21
# CHECK:   v3: i32 = const 2                         7:24-43
# CHECK:   v4: f32 = call 2 v0, v1, v3               7:24-43
# CHECK:   v5: f32 = add v2, v4                      7:11-43
# CHECK:   return v5                                 7:4-43
# CHECK:
# CHECK: poly(x: f32, n: i32) -> f32
# CHECK: b0(v0: f32, v1: i32):
# CHECK:   v2: f32 = convert v1                      @1 5:11-16
# CHECK:   v3: f32 = mul v0, v2                      @1 5:11-16
# CHECK:   v4: f32 = constf 0.5                      @1 5:11-20
# CHECK:   v5: f32 = add v3, v4                      @1 5:11-20
# CHECK:   return v5                                 @1 5:4-20
# CHECK:
# CHECK: poly.1(x: f32, n: i32, c: i32) -> f32
# CHECK: b0(v0: f32, v1: i32, v2: i32):
# CHECK:   v3: f32 = convert v1                      @1 5:11-16
# CHECK:   v4: f32 = mul v0, v3                      @1 5:11-16
# CHECK:   v5: f32 = convert v2                      @1 5:11-20
# CHECK:   v6: f32 = add v4, v5                      @1 5:11-20
# CHECK:   return v6                                 @1 5:4-20
# RUN: f(float32(1.5), 3) == PYTHON
