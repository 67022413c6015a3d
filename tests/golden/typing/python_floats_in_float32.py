# The same where there is no float64: nothing is computed in it.
# SHOW: typed
# FOR: (float32, int)
def scaled(v, k):
    return v * k


def f(x, n):
    k = 0.1 if n > 0 else 0.7
    return scaled(x, k * 3.0) + scaled(x, 0.3)

# CHECK: f(x: f32, n: i32) -> f32
# CHECK: b0(v0: f32, v1: i32):
# CHECK:   v3: i32 = const 0                         9:15-20
# CHECK:   v4: bool = compare gt v1, v3              9:15-20
# CHECK:   branch v4, b1, b2                         9:15-20
# CHECK: b1():
# CHECK:   v5: f32 = constf 0.10000000149011612      9:8-11
# CHECK:   jump b3(v5)                               9:8-11
# CHECK: b2():
# CHECK:   v6: f32 = constf 0.699999988079071        9:26-29
# CHECK:   jump b3(v6)                               9:26-29
# CHECK: b3(v2: f32):
# CHECK:   v7: f32 = constf 3.0                      10:21-28
# CHECK:   v8: f32 = mul v2, v7                      10:21-28
# CHECK:   v9: f32 = call 1 v0, v8                   10:11-29
# CHECK:   v10: f32 = constf 0.30000001192092896     10:32-46
# CHECK:   v11: f32 = call 1 v0, v10                 10:32-46
# CHECK:   v12: f32 = add v9, v11                    10:11-46
# CHECK:   return v12                                10:4-46
# CHECK:
# CHECK: scaled(v: f32, k: f32) -> f32
# CHECK: b0(v0: f32, v1: f32):
# CHECK:   v2: f32 = mul v0, v1                      @1 5:11-16
# CHECK:   return v2                                 @1 5:4-16
# RUN: f(float32(1.5), 1) == 0.9000000357627869
