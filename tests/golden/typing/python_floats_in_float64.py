# A Python float of run time has a float64 beside its float32 where it meets float64: chosen, computed with, passed.
# SHOW: optimized
# FOR: (float64, int)
def scaled(v, k):
    return v * k


def f(x, n):
    k = 0.1 if n > 0 else 0.7
    return scaled(x, k * 3.0) + scaled(x, 0.3)

# CHECK: f(x: f64, n: i32) -> f64
# CHECK: b0(v0: f64, v1: i32):
# CHECK:   v4: i32 = const 0                         9:15-20
# CHECK:   v5: bool = compare gt v1, v4              9:15-20
# CHECK:   branch v5, b1, b2                         9:15-20
# CHECK: b1():
# CHECK:   v6: f32 = constf 0.10000000149011612      9:8-11
# CHECK:   v7: f64 = constf 0.1                      9:8-11
# CHECK:   jump b3(v6, v7)                           9:8-11
# CHECK: b2():
# CHECK:   v8: f32 = constf 0.699999988079071        9:26-29
# CHECK:   v9: f64 = constf 0.7                      9:26-29
# CHECK:   jump b3(v8, v9)                           9:26-29
# CHECK: b3(v2: f32, v3: f64):
# CHECK:   v10: f32 = constf 3.0                     10:21-28
# CHECK:   v11: f32 = mul v2, v10                    10:21-28
# CHECK:   v12: f64 = constf 3.0                     10:21-28
# CHECK:   v13: f64 = mul v3, v12                    10:21-28
# CHECK:   v14: f64 = call 1 v0, v11, v13            10:11-29
# CHECK:   v15: f32 = constf 0.30000001192092896     10:32-46
# CHECK:   v16: f64 = constf 0.3                     10:32-46
# CHECK:   v17: f64 = call 1 v0, v15, v16            10:32-46
# CHECK:   v18: f64 = add v14, v17                   10:11-46
# CHECK:   return v18                                10:4-46
# CHECK:
# CHECK: scaled(v: f64, k.0: f32, k.1: f64) -> f64
# CHECK: b0(v0: f64, v1: f32, v2: f64):
# CHECK:   v3: f64 = mul v0, v2                      @1 5:11-16
# CHECK:   return v3                                 @1 5:4-16
# RUN: f(float64(1.7), 1) == PYTHON
# RUN: f(float64(1.7), -1) == PYTHON
