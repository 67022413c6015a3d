# SHOW: typed
# FOR: (int64, int64)
# FOR: (float32, float64)
# FOR: (int, int)
def floor_div(a, b):
    return a // b

# CHECK: floor_div(a: i64, b: i64) -> i64
# CHECK: b0(v0: i64, v1: i64):
# CHECK:   v2: i64 = floordiv v0, v1                 6:11-17
# CHECK:   return v2                                 6:4-17
# CHECK: floor_div(a: f32, b: f64) -> f64
# CHECK: b0(v0: f32, v1: f64):
# CHECK:   v2: f64 = convert v0                      6:11-17
# CHECK:   v3: f64 = floordiv v2, v1                 6:11-17
# CHECK:   return v3                                 6:4-17
# CHECK: floor_div(a: i32, b: i32) -> i32
# CHECK: b0(v0: i32, v1: i32):
# CHECK:   v2: i32 = floordiv v0, v1                 6:11-17
# CHECK:   return v2                                 6:4-17
# RUN: floor_div(int64(7), int64(-2)) == -4
# RUN: floor_div(int64(-7), int64(2)) == PYTHON
# RUN: floor_div(int64(5), int64(0)) == 0
# RUN: floor_div(int32(-2147483648), int32(-1)) == int32(-2147483648)
# RUN: floor_div(float32(-7.5), float32(2)) == PYTHON
