# SHOW: typed
# FOR: (int, int, int)
def count(start, stop, step):
    n = 0
    for i in range(start, stop, step):
        n += i
    return n

# CHECK: count(start: i32, stop: i32, step: i32) -> i32
# CHECK: b0(v0: i32, v1: i32, v2: i32):
# CHECK:   v5: i32 = const 0                         5:4-6:14
# CHECK:   v6: bool = compare gt v2, v5              5:4-6:14
# CHECK:   v7: i32 = select v6, v0, v1               5:4-6:14
# CHECK:   v8: i32 = select v6, v1, v0               5:4-6:14
# CHECK:   v9: u32 = convert v2                      5:4-6:14
# CHECK:   v10: u32 = neg v9                         5:4-6:14
# CHECK:   v11: u32 = select v6, v9, v10             5:4-6:14
# CHECK:   v12: u32 = convert v8                     5:4-6:14
# CHECK:   v13: u32 = convert v7                     5:4-6:14
# CHECK:   v14: u32 = sub v12, v13                   5:4-6:14
# CHECK:   v15: u32 = const 1                        5:4-6:14
# CHECK:   v16: u32 = sub v14, v15                   5:4-6:14
# CHECK:   v17: u32 = floordiv v16, v11              5:4-6:14
# CHECK:   v18: u32 = add v17, v15                   5:4-6:14
# CHECK:   v19: bool = compare lt v7, v8             5:4-6:14
# CHECK:   v20: bool = compare ne v2, v5             5:4-6:14
# CHECK:   v21: bool = and v19, v20                  5:4-6:14
# CHECK:   v22: u32 = const 0                        5:4-6:14
# CHECK:   v23: u32 = select v21, v18, v22           5:4-6:14
# CHECK:   v24: u32 = const 0                        5:4-6:14
# CHECK:   v25: i32 = const 0                        5:4-6:14
# CHECK:   jump b1(v24, v25)                         5:4-6:14
# CHECK: b1(v3: u32, v4: i32):
# CHECK:   v26: bool = compare lt v3, v23            5:4-6:14
# CHECK:   branch v26, b2, b3                        5:4-6:14
# CHECK: b2():
# CHECK:   v27: i32 = convert v3                     5:4-6:14
# CHECK:   v28: i32 = mul v27, v2                    5:4-6:14
# CHECK:   v29: i32 = add v0, v28                    5:4-6:14
# CHECK:   v30: u32 = const 1                        5:4-6:14
# CHECK:   v31: u32 = add v3, v30                    5:4-6:14
# CHECK:   v32: i32 = add v4, v29                    6:8-14
# CHECK:   jump b1(v31, v32)                         6:8-9
# CHECK: b3():
# CHECK:   return v4                                 7:4-12
# RUN: count(0, 10, 3) == PYTHON
# RUN: count(10, -5, -4) == PYTHON
# RUN: count(5, 5, 1) == PYTHON
# RUN: count(2147483640, 2147483647, 3) == int32(2147483633)
# RUN: count(0, 10, 0) == 0
