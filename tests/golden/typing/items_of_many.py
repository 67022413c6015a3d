# SHOW: typed
# FOR: (int,)
# FOR: (uint8,)
T = (5, 3, 8, 1, 9, 2, 7, 4, 6, 0, 15, 13, 18, 11, 19, 12, 17)


def f(i):
    return T[i]


# CHECK: f(i: i32) -> i32
# CHECK: b0(v0: i32):
# CHECK:   v1: i32 = const 17                        8:11-15
# CHECK:   v2: i32 = wrapindex v0, v1                8:11-15
# CHECK:   v3: i32 = tableitem (5, 3, 8, 1, 9, 2, 7, 4, 6, 0, 15, 13, 18, 11, 19, 12, 17) v2  8:11-15
# CHECK:   return v3                                 8:4-15
# CHECK: f(i: u8) -> i32
# CHECK: b0(v0: u8):
# CHECK:   v1: i32 = convert v0                      8:11-15
# CHECK:   v2: i32 = tableitem (5, 3, 8, 1, 9, 2, 7, 4, 6, 0, 15, 13, 18, 11, 19, 12, 17) v1  8:11-15
# CHECK:   return v2                                 8:4-15
# RUN: f(3) == PYTHON
# RUN: f(-17) == PYTHON
# RUN: f(16) == PYTHON
# RUN: f(17) == 17
# RUN: f(-18) == 17
