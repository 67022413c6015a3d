# SHOW: typed
# FOR: (int32, int32)
# FOR: (uint8, int)
def f(a, n):
    return (a << n) ^ (a >> n)

# CHECK: f(a: i32, n: i32) -> i32
# CHECK: b0(v0: i32, v1: i32):
# CHECK:   v2: i32 = shl v0, v1                      5:12-18
# CHECK:   v3: i32 = shr v0, v1                      5:23-29
# CHECK:   v4: i32 = xor v2, v3                      5:11-30
# CHECK:   return v4                                 5:4-30
# CHECK: f(a: u8, n: i32) -> u8
# CHECK: b0(v0: u8, v1: i32):
# CHECK:   v2: i32 = convert v0                      5:12-18
# CHECK:   v3: i32 = shl v2, v1                      5:12-18
# CHECK:   v4: u8 = convert v3                       5:12-18
# CHECK:   v5: i32 = convert v0                      5:23-29
# CHECK:   v6: i32 = shr v5, v1                      5:23-29
# CHECK:   v7: u8 = convert v6                       5:23-29
# CHECK:   v8: u8 = xor v4, v7                       5:11-30
# CHECK:   return v8                                 5:4-30
# RUN: f(int32(-5), int32(40)) == int32(-1)
# RUN: f(int32(1), int32(31)) == int32(-2147483648)
# RUN: f(uint8(255), 4) == uint8(255)
