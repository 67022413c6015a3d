# SHOW: typed
# FOR: (int, int)
ROWS = tuple(tuple(i * j for j in range(3)) for i in range(30))


def f(i, j):
    return ROWS[i][j]


# CHECK: f(i: i32, j: i32) -> i32
# CHECK: b0(v0: i32, v1: i32):
# CHECK:   v2: i32 = const 30                        7:11-18
# CHECK:   v3: i32 = wrapindex v0, v2                7:11-18
# CHECK:   v4: i32 = tableitem (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) v3  7:11-18
# CHECK:   v5: i32 = tableitem (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29) v3  7:11-18
# CHECK:   v6: i32 = tableitem (0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58) v3  7:11-18
# CHECK:   v7: i32 = const 3                         7:11-21
# CHECK:   v8: i32 = wrapindex v1, v7                7:11-21
# CHECK:   v9: i32 = const 0                         7:11-21
# CHECK:   v10: bool = compare eq v8, v9             7:11-21
# CHECK:   v11: i32 = const 1                        7:11-21
# CHECK:   v12: bool = compare eq v8, v11            7:11-21
# CHECK:   v13: i32 = select v12, v5, v6             7:11-21
# CHECK:   v14: i32 = select v10, v4, v13            7:11-21
# CHECK:   return v14                                7:4-21
# RUN: f(3, 2) == PYTHON
# RUN: f(-30, -1) == PYTHON
# RUN: f(29, 0) == PYTHON
# RUN: f(30, 1) == 29
