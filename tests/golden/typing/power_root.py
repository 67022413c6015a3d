# SHOW: optimized
# FOR: (float32)
# A root, but of -0.0 and of minus infinity what pow gives.
def f(x):
    return (x + 1.0) ** -0.5

# CHECK: f(x: f32) -> f32
# CHECK: b0(v0: f32):
# CHECK:   v1: f32 = constf 1.0                      5:12-19
# CHECK:   v2: f32 = add v0, v1                      5:12-19
# CHECK:   v3: f32 = constf 0.0                      5:11-28
# CHECK:   v4: f32 = add v2, v3                      5:11-28
# CHECK:   v5: f32 = math Sqrt v4                    5:11-28
# CHECK:   v6: f32 = constf -inf                     5:11-28
# CHECK:   v7: bool = compare eq v2, v6              5:11-28
# CHECK:   v8: f32 = constf inf                      5:11-28
# CHECK:   v9: f32 = select v7, v8, v5               5:11-28
# CHECK:   v10: f32 = constf 1.0                     5:11-28
# CHECK:   v11: f32 = div v10, v9                    5:11-28
# CHECK:   return v11                                5:4-28
# RUN: f(float32(3)) == PYTHON
# RUN: f(float32(0)) == PYTHON
