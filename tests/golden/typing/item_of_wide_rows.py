# SHOW: typed
# FOR: (int, int)
ROWS = tuple(tuple(i + j for j in range(17)) for i in range(4))


def f(i, j):
    return ROWS[i][j]


# CHECK: f(i: i32, j: i32) -> i32
# CHECK: b0(v0: i32, v1: i32):
# CHECK:   v2: i32 = const 4                         7:11-18
# CHECK:   v3: i32 = wrapindex v0, v2                7:11-18
# CHECK:   v4: i32 = tableitem (0, 1, 2, 3) v3       7:11-18
# CHECK:   v5: i32 = tableitem (1, 2, 3, 4) v3       7:11-18
# CHECK:   v6: i32 = tableitem (2, 3, 4, 5) v3       7:11-18
# CHECK:   v7: i32 = tableitem (3, 4, 5, 6) v3       7:11-18
# CHECK:   v8: i32 = tableitem (4, 5, 6, 7) v3       7:11-18
# CHECK:   v9: i32 = tableitem (5, 6, 7, 8) v3       7:11-18
# CHECK:   v10: i32 = tableitem (6, 7, 8, 9) v3      7:11-18
# CHECK:   v11: i32 = tableitem (7, 8, 9, 10) v3     7:11-18
# CHECK:   v12: i32 = tableitem (8, 9, 10, 11) v3    7:11-18
# CHECK:   v13: i32 = tableitem (9, 10, 11, 12) v3   7:11-18
# CHECK:   v14: i32 = tableitem (10, 11, 12, 13) v3  7:11-18
# CHECK:   v15: i32 = tableitem (11, 12, 13, 14) v3  7:11-18
# CHECK:   v16: i32 = tableitem (12, 13, 14, 15) v3  7:11-18
# CHECK:   v17: i32 = tableitem (13, 14, 15, 16) v3  7:11-18
# CHECK:   v18: i32 = tableitem (14, 15, 16, 17) v3  7:11-18
# CHECK:   v19: i32 = tableitem (15, 16, 17, 18) v3  7:11-18
# CHECK:   v20: i32 = tableitem (16, 17, 18, 19) v3  7:11-18
# CHECK:   v21: i32 = const 17                       7:11-21
# CHECK:   v22: i32 = wrapindex v1, v21              7:11-21
# CHECK:   v23: u32 = const 17                       7:11-21
# CHECK:   v24: u32 = convert v3                     7:11-21
# CHECK:   v25: u32 = const 3                        7:11-21
# CHECK:   v26: bool = compare lt v24, v25           7:11-21
# CHECK:   v27: u32 = select v26, v24, v25           7:11-21
# CHECK:   v28: u32 = mul v27, v23                   7:11-21
# CHECK:   v29: u32 = convert v22                    7:11-21
# CHECK:   v30: u32 = const 16                       7:11-21
# CHECK:   v31: bool = compare lt v29, v30           7:11-21
# CHECK:   v32: u32 = select v31, v29, v30           7:11-21
# CHECK:   v33: u32 = add v28, v32                   7:11-21
# CHECK:   v34: i32 = tableitem (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19) v33  7:11-21
# CHECK:   return v34                                7:4-21
# RUN: f(3, 16) == PYTHON
# RUN: f(-4, -17) == PYTHON
# RUN: f(0, 4) == PYTHON
# RUN: f(1, 17) == 17
# RUN: f(7, 2) == 5
