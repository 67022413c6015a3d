# SHOW: typed
# FOR: (int, int, int)
def count(start, stop, step):
    n = 0
    for i in range(start, stop, step):
        n += i
    return n

# CHECK: count(start: i32, stop: i32, step: i32) -> i32
# CHECK: b0(v0: i32, v1: i32, v2: i32):
# CHECK:   v5: u32 = convert v2                      5:4-6:14
# CHECK:   v6: u32 = neg v5                          5:4-6:14
# CHECK:   v7: i32 = const 0                         5:4-6:14
# CHECK:   v8: bool = compare gt v2, v7              5:4-6:14
# CHECK:   v9: u32 = select v8, v5, v6               5:4-6:14
# CHECK:   v10: i32 = const 0                        5:4-6:14
# CHECK:   v11: bool = compare gt v2, v10            5:4-6:14
# CHECK:   v12: i32 = select v11, v0, v1             5:4-6:14
# CHECK:   v13: i32 = select v11, v1, v0             5:4-6:14
# CHECK:   v14: bool = compare lt v12, v13           5:4-6:14
# CHECK:   v15: i32 = const 0                        5:4-6:14
# CHECK:   v16: bool = compare ne v2, v15            5:4-6:14
# CHECK:   v17: bool = and v14, v16                  5:4-6:14
# CHECK:   v18: u32 = const 0                        5:4-6:14
# CHECK:   v19: u32 = convert v13                    5:4-6:14
# CHECK:   v20: u32 = convert v12                    5:4-6:14
# CHECK:   v21: u32 = sub v19, v20                   5:4-6:14
# CHECK:   v22: u32 = select v17, v21, v18           5:4-6:14
# CHECK:   v23: u32 = const 0                        5:4-6:14
# CHECK:   v24: i32 = const 0                        5:4-6:14
# CHECK:   jump b1(v23, v24)                         5:4-6:14
# CHECK: b1(v3: u32, v4: i32):
# CHECK:   v25: bool = compare lt v3, v22            5:4-6:14
# CHECK:   branch v25, b2, b3                        5:4-6:14
# CHECK: b2():
# CHECK:   v26: i32 = convert v3                     5:4-6:14
# CHECK:   v27: i32 = neg v26                        5:4-6:14
# CHECK:   v28: i32 = const 0                        5:4-6:14
# CHECK:   v29: bool = compare gt v2, v28            5:4-6:14
# CHECK:   v30: i32 = select v29, v26, v27           5:4-6:14
# CHECK:   v31: i32 = add v0, v30                    5:4-6:14
# CHECK:   v32: u32 = add v3, v9                     5:4-6:14
# CHECK:   v33: bool = compare lt v32, v3            5:4-6:14
# CHECK:   v34: u32 = const 0                        5:4-6:14
# CHECK:   v35: u32 = not v34                        5:4-6:14
# CHECK:   v36: u32 = select v33, v35, v32           5:4-6:14
# CHECK:   v37: i32 = add v4, v31                    6:8-14
# CHECK:   jump b1(v36, v37)                         6:8-9
# CHECK: b3():
# CHECK:   return v4                                 7:4-12
# RUN: count(0, 10, 3) == PYTHON
# RUN: count(10, -5, -4) == PYTHON
# RUN: count(5, 5, 1) == PYTHON
# RUN: count(2147483640, 2147483647, 3) == int32(2147483633)
# RUN: count(0, 10, 0) == 0
