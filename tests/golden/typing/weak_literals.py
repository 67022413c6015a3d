# SHOW: typed
# FOR: (int8)
# FOR: (float16)
# FOR: (float64)
# FOR: (int)
def scale(x):
    return x * 3 + 1

# CHECK: scale(x: i8) -> i8
# CHECK: b0(v0: i8):
# CHECK:   v1: i8 = const 3                          7:11-16
# CHECK:   v2: i8 = mul v0, v1                       7:11-16
# CHECK:   v3: i8 = const 1                          7:11-20
# CHECK:   v4: i8 = add v2, v3                       7:11-20
# CHECK:   return v4                                 7:4-20
# CHECK: scale(x: f16) -> f16
# CHECK: b0(v0: f16):
# CHECK:   v1: f16 = constf 3.0                      7:11-16
# CHECK:   v2: f16 = mul v0, v1                      7:11-16
# CHECK:   v3: f16 = constf 1.0                      7:11-20
# CHECK:   v4: f16 = add v2, v3                      7:11-20
# CHECK:   return v4                                 7:4-20
# CHECK: scale(x: f64) -> f64
# CHECK: b0(v0: f64):
# CHECK:   v1: f64 = constf 3.0                      7:11-16
# CHECK:   v2: f64 = mul v0, v1                      7:11-16
# CHECK:   v3: f64 = constf 1.0                      7:11-20
# CHECK:   v4: f64 = add v2, v3                      7:11-20
# CHECK:   return v4                                 7:4-20
# CHECK: scale(x: i32) -> i32
# CHECK: b0(v0: i32):
# CHECK:   v1: i32 = const 3                         7:11-16
# CHECK:   v2: i32 = mul v0, v1                      7:11-16
# CHECK:   v3: i32 = const 1                         7:11-20
# CHECK:   v4: i32 = add v2, v3                      7:11-20
# CHECK:   return v4                                 7:4-20
# RUN: scale(int8(100)) == int8(45)
# RUN: scale(float16(0.5)) == PYTHON
# RUN: scale(float64(0.1)) == PYTHON
