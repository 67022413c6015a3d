# SHOW: optimized
# FOR: (array[float32, 2, contiguous, index32], array[float32, 1, index32], int)
# KERNEL: yes
def f(a, b, i):
    a[i] = b
    a[:, 0] = 1
    a[i, 1:] *= 2

# CHECK: f(a: array[f32, 2, contiguous, index32], b: array[f32, 1, index32], i: i32) -> none
# CHECK: b0(v0: array[f32, 2, contiguous, index32], v1: array[f32, 1, index32], v2: i32):
# CHECK:   v3: i64 = extent 0 v0                     5:4-8
# CHECK:   v4: i32 = convert v3                      5:4-8
# CHECK:   v5: i32 = wrapindex v2, v4                5:4-8
# CHECK:   v6: i64 = extent 1 v0                     5:4-8
# CHECK:   v7: i32 = const 0                         5:4-8
# CHECK:   v8: ptr[f32] = element v0, v5, v7         5:4-8
# CHECK:   v9: array[f32, 1, contiguous, index32] = makearray v8, v6  5:4-8
# CHECK:   v76: i32 = const 0                        5:4-8
# CHECK:   jump b1(v76)                              5:4-8
# CHECK: b1(v67: i32):
# CHECK:   v79: u32 = convert v67                    5:4-8
# CHECK:   v80: u32 = convert v6                     5:4-8
# CHECK:   v81: bool = compare lt v79, v80           5:4-8
# CHECK:   branch v81, b2, b3                        5:4-8
# CHECK: b2():
# CHECK:   v14: i64 = extent 0 v1                    5:4-8
# CHECK:   v15: i64 = const 1                        5:4-8
# CHECK:   v17: bool = compare eq v14, v15           5:4-8
# CHECK:   v82: u32 = const 0                        5:4-8
# CHECK:   v83: u32 = convert v67                    5:4-8
# CHECK:   v84: u32 = select v17, v82, v83           5:4-8
# CHECK:   v20: ptr[f32] = element v1, v84           5:4-8
# CHECK:   v21: f32 = load v20                       5:4-8
# CHECK:   v86: u32 = convert v67                    5:4-8
# CHECK:   v23: ptr[f32] = element v9, v86           5:4-8
# CHECK:   store v23, v21                            5:4-8
# CHECK:   v87: i32 = const 1                        5:4-8
# CHECK:   v88: i32 = add v67, v87                   5:4-8
# CHECK:   jump b1(v88)                              5:4-8
# CHECK: b3():
# CHECK:   v26: i64 = extent 0 v0                    6:4-11
# CHECK:   v27: i32 = const 0                        6:4-11
# CHECK:   v28: i64 = stride 0 v0                    6:4-11
# CHECK:   v29: i32 = const 0                        6:4-11
# CHECK:   v30: ptr[f32] = element v0, v27, v29      6:4-11
# CHECK:   v31: array[f32, 1, index32] = makearray v30, v26, v28  6:4-11
# CHECK:   v32: f32 = constf 1.0                     6:4-11
# CHECK:   v77: i32 = const 0                        6:4-11
# CHECK:   jump b4(v77)                              6:4-11
# CHECK: b4(v68: i32):
# CHECK:   v89: u32 = convert v68                    6:4-11
# CHECK:   v90: u32 = convert v26                    6:4-11
# CHECK:   v91: bool = compare lt v89, v90           6:4-11
# CHECK:   branch v91, b5, b6                        6:4-11
# CHECK: b5():
# CHECK:   v92: u32 = convert v68                    6:4-11
# CHECK:   v38: ptr[f32] = element v31, v92          6:4-11
# CHECK:   store v38, v32                            6:4-11
# CHECK:   v93: i32 = const 1                        6:4-11
# CHECK:   v94: i32 = add v68, v93                   6:4-11
# CHECK:   jump b4(v94)                              6:4-11
# CHECK: b6():
# CHECK:   v41: i64 = extent 0 v0                    7:4-12
# CHECK:   v42: i32 = convert v41                    7:4-12
# CHECK:   v43: i32 = wrapindex v2, v42              7:4-12
# CHECK:   v44: i64 = extent 1 v0                    7:4-12
# CHECK:   v46: i64 = const 1                        7:4-12
# CHECK:   v47: bool = compare lt v46, v44           7:4-12
# CHECK:   v48: i64 = select v47, v46, v44           7:4-12
# CHECK:   v49: i64 = sub v44, v48                   7:4-12
# CHECK:   v51: i32 = convert v48                    7:4-12
# CHECK:   v52: ptr[f32] = element v0, v43, v51      7:4-12
# CHECK:   v53: array[f32, 1, contiguous, index32] = makearray v52, v49  7:4-12
# CHECK:   v78: i32 = const 0                        7:4-17
# CHECK:   jump b7(v78)                              7:4-17
# CHECK: b7(v69: i32):
# CHECK:   v95: i32 = convert v49                    7:4-17
# CHECK:   v96: bool = compare lt v69, v95           7:4-17
# CHECK:   branch v96, b8, b9                        7:4-17
# CHECK: b8():
# CHECK:   v97: u32 = convert v69                    7:4-17
# CHECK:   v59: ptr[f32] = element v53, v97          7:4-17
# CHECK:   v60: f32 = load v59                       7:4-17
# CHECK:   v61: f32 = constf 2.0                     7:4-17
# CHECK:   v62: f32 = mul v60, v61                   7:4-17
# CHECK:   v63: ptr[f32] = element v53, v97          7:4-17
# CHECK:   store v63, v62                            7:4-17
# CHECK:   v98: i32 = const 1                        7:4-17
# CHECK:   v99: i32 = add v69, v98                   7:4-17
# CHECK:   jump b7(v99)                              7:4-17
# CHECK: b9():
# CHECK:   v66: none = none                          7:4-12
# CHECK:   return v66                                7:4-12

# ROW: HET-ARR-3
