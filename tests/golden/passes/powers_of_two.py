# SHOW: optimized
# FOR: (int32, uint8, int32)
from hetjit import device
def f(a, b, c):
    return a // 8, a % 8, b // 128, c // 3

# CHECK: f(a: i32, b: u8, c: i32) -> (i32, i32, u8, i32)
# CHECK: b0(v0: i32, v1: u8, v2: i32):
# CHECK:   v12: i32 = const 3                        5:11-17
# CHECK:   v13: i32 = shr v0, v12                    5:11-17
# CHECK:   v14: i32 = const 7                        5:19-24
# CHECK:   v15: i32 = and v0, v14                    5:19-24
# CHECK:   v16: u8 = const 7                         5:26-34
# CHECK:   v17: u8 = shr v1, v16                     5:26-34
# CHECK:   v9: i32 = const 3                         5:36-42
# CHECK:   v10: i32 = floordiv v2, v9                5:36-42
# CHECK:   v11: (i32, i32, u8, i32) = tuple v13, v15, v17, v10  5:4-42
# CHECK:   return v11                                5:4-42
