# SHOW: typed
# FOR: (int64, float16)
# FOR: (uint8, int8)
# FOR: (float, int16)
# FOR: (float16, float32)
def add(a, b):
    return a + b

# CHECK: add(a: i64, b: f16) -> f16
# CHECK: b0(v0: i64, v1: f16):
# CHECK:   v2: f16 = convert v0                      7:11-16
# CHECK:   v3: f16 = add v2, v1                      7:11-16
# CHECK:   return v3                                 7:4-16
# CHECK: add(a: u8, b: i8) -> i16
# CHECK: b0(v0: u8, v1: i8):
# CHECK:   v2: i16 = convert v0                      7:11-16
# CHECK:   v3: i16 = convert v1                      7:11-16
# CHECK:   v4: i16 = add v2, v3                      7:11-16
# CHECK:   return v4                                 7:4-16
# CHECK: add(a: f32, b: i16) -> f32
# CHECK: b0(v0: f32, v1: i16):
# CHECK:   v2: f32 = convert v1                      7:11-16
# CHECK:   v3: f32 = add v0, v2                      7:11-16
# CHECK:   return v3                                 7:4-16
# CHECK: add(a: f16, b: f32) -> f32
# CHECK: b0(v0: f16, v1: f32):
# CHECK:   v2: f32 = convert v0                      7:11-16
# CHECK:   v3: f32 = add v2, v1                      7:11-16
# CHECK:   return v3                                 7:4-16
# RUN: add(uint8(200), int8(-100)) == PYTHON
