# SHOW: typed
# FOR: (int32, int32)
# FOR: (int, float64)
def divide(a, b):
    return a / b

# CHECK: divide(a: i32, b: i32) -> f32
# CHECK: b0(v0: i32, v1: i32):
# CHECK:   v2: f32 = convert v0                      5:11-16
# CHECK:   v3: f32 = convert v1                      5:11-16
# CHECK:   v4: f32 = div v2, v3                      5:11-16
# CHECK:   return v4                                 5:4-16
# CHECK: divide(a: i32, b: f64) -> f64
# CHECK: b0(v0: i32, v1: f64):
# CHECK:   v2: f64 = convert v0                      5:11-16
# CHECK:   v3: f64 = div v2, v1                      5:11-16
# CHECK:   return v3                                 5:4-16
# RUN: divide(int32(7), int32(2)) == float32(3.5)
# RUN: divide(1, float64(3)) == PYTHON
