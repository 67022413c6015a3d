# FOR: (int, int)
def f(n, m):
    total = 0
    for i, j in zip(range(n), reversed(range(m))):
        total = total * 10 + i + j
    return total

# CHECK: f(n: i32, m: i32) -> i32
# CHECK: b0(v0: i32, v1: i32):
# CHECK:   v4: i32 = const 0                         4:30-48
# CHECK:   v5: u32 = convert v1                      4:30-48
# CHECK:   v6: u32 = convert v4                      4:30-48
# CHECK:   v7: u32 = sub v5, v6                      4:30-48
# CHECK:   v8: bool = compare lt v4, v1              4:30-48
# CHECK:   v9: u32 = const 0                         4:30-48
# CHECK:   v10: u32 = select v8, v7, v9              4:30-48
# CHECK:   v11: i32 = const 0                        4:16-49
# CHECK:   v12: u32 = convert v0                     4:16-49
# CHECK:   v13: u32 = convert v11                    4:16-49
# CHECK:   v14: u32 = sub v12, v13                   4:16-49
# CHECK:   v15: bool = compare lt v11, v0            4:16-49
# CHECK:   v16: u32 = const 0                        4:16-49
# CHECK:   v17: u32 = select v15, v14, v16           4:16-49
# CHECK:   v18: i32 = const 0                        4:16-49
# CHECK:   v19: u32 = convert v1                     4:16-49
# CHECK:   v20: u32 = convert v18                    4:16-49
# CHECK:   v21: u32 = sub v19, v20                   4:16-49
# CHECK:   v22: bool = compare lt v18, v1            4:16-49
# CHECK:   v23: u32 = const 0                        4:16-49
# CHECK:   v24: u32 = select v22, v21, v23           4:16-49
# CHECK:   v25: i32 = const 0                        4:4-5:34
# CHECK:   v26: u32 = convert v0                     4:4-5:34
# CHECK:   v27: u32 = convert v25                    4:4-5:34
# CHECK:   v28: u32 = sub v26, v27                   4:4-5:34
# CHECK:   v29: bool = compare lt v25, v0            4:4-5:34
# CHECK:   v30: u32 = const 0                        4:4-5:34
# CHECK:   v31: u32 = select v29, v28, v30           4:4-5:34
# CHECK:   v32: i32 = const 0                        4:4-5:34
# CHECK:   v33: u32 = convert v1                     4:4-5:34
# CHECK:   v34: u32 = convert v32                    4:4-5:34
# CHECK:   v35: u32 = sub v33, v34                   4:4-5:34
# CHECK:   v36: bool = compare lt v32, v1            4:4-5:34
# CHECK:   v37: u32 = const 0                        4:4-5:34
# CHECK:   v38: u32 = select v36, v35, v37           4:4-5:34
# CHECK:   v39: bool = compare lt v38, v31           4:4-5:34
# CHECK:   v40: u32 = select v39, v38, v31           4:4-5:34
# CHECK:   v41: u32 = const 0                        4:4-5:34
# CHECK:   v42: i32 = const 0                        4:4-5:34
# CHECK:   jump b1(v41, v42)                         4:4-5:34
# CHECK: b1(v2: u32, v3: i32):
# CHECK:   v43: bool = compare lt v2, v40            4:4-5:34
# CHECK:   branch v43, b2, b3                        4:4-5:34
# CHECK: b2():
# CHECK:   v44: i32 = convert v2                     4:4-5:34
# CHECK:   v45: i32 = const 0                        4:4-5:34
# CHECK:   v46: u32 = convert v1                     4:4-5:34
# CHECK:   v47: u32 = convert v45                    4:4-5:34
# CHECK:   v48: u32 = sub v46, v47                   4:4-5:34
# CHECK:   v49: bool = compare lt v45, v1            4:4-5:34
# CHECK:   v50: u32 = const 0                        4:4-5:34
# CHECK:   v51: u32 = select v49, v48, v50           4:4-5:34
# CHECK:   v52: u32 = const 1                        4:4-5:34
# CHECK:   v53: u32 = sub v51, v52                   4:4-5:34
# CHECK:   v54: u32 = sub v53, v2                    4:4-5:34
# CHECK:   v55: i32 = convert v54                    4:4-5:34
# CHECK:   v56: u32 = const 1                        4:4-5:34
# CHECK:   v57: u32 = add v2, v56                    4:4-5:34
# CHECK:   v58: i32 = const 10                       5:16-26
# CHECK:   v59: i32 = mul v3, v58                    5:16-26
# CHECK:   v60: i32 = add v59, v44                   5:16-30
# CHECK:   v61: i32 = add v60, v55                   5:16-34
# CHECK:   jump b1(v57, v61)                         5:8-13
# CHECK: b3():
# CHECK:   return v3                                 6:4-16
# RUN: f(3, 5) == PYTHON
# RUN: f(5, 2) == PYTHON
# RUN: f(0, 2) == PYTHON
