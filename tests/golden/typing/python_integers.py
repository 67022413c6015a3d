# SHOW: typed
# FOR: (int8, uint8, uint32, uint64, int, float32[:])
def f(a, b, c, d, n, x):
    low = a < n, b >= n, c < n, d == n, n > c, n <= d, b != n
    extents = b < x.shape[0], c < x.shape[0], d < x.shape[0]
    for i in range(c, n):
        x[i] = 0.0
    for i in range(a, n, n):
        x[i] = 1.0
    return low, extents, min(b, n)

# CHECK: f(a: i8, b: u8, c: u32, d: u64, n: i32, x: array[f32, 1]) -> ((bool, bool, bool, bool, bool, bool, bool), (bool, bool, bool), u8)
# CHECK: b0(v0: i8, v1: u8, v2: u32, v3: u64, v4: i32, v5: array[f32, 1]):
# CHECK:   v10: i32 = convert v0                     4:10-15
# CHECK:   v11: bool = compare lt v10, v4            4:10-15
# CHECK:   v12: i32 = convert v1                     4:17-23
# CHECK:   v13: bool = compare ge v12, v4            4:17-23
# CHECK:   v14: i32 = const 0                        4:25-30
# CHECK:   v15: i32 = const 0                        4:25-30
# CHECK:   v16: bool = compare lt v4, v15            4:25-30
# CHECK:   v17: i32 = select v16, v14, v4            4:25-30
# CHECK:   v18: u32 = convert v17                    4:25-30
# CHECK:   v19: bool = compare lt v2, v18            4:25-30
# CHECK:   v20: u64 = convert v4                     4:32-38
# CHECK:   v21: bool = compare eq v3, v20            4:32-38
# CHECK:   v22: bool = const false                   4:32-38
# CHECK:   v23: i32 = const 0                        4:32-38
# CHECK:   v24: bool = compare lt v4, v23            4:32-38
# CHECK:   v25: bool = select v24, v22, v21          4:32-38
# CHECK:   v26: i32 = const 0                        4:40-45
# CHECK:   v27: i32 = const 0                        4:40-45
# CHECK:   v28: bool = compare lt v4, v27            4:40-45
# CHECK:   v29: i32 = select v28, v26, v4            4:40-45
# CHECK:   v30: u32 = convert v29                    4:40-45
# CHECK:   v31: bool = compare lt v2, v30            4:40-45
# CHECK:   v32: i32 = const 0                        4:47-53
# CHECK:   v33: i32 = const 0                        4:47-53
# CHECK:   v34: bool = compare lt v4, v33            4:47-53
# CHECK:   v35: i32 = select v34, v32, v4            4:47-53
# CHECK:   v36: u64 = convert v35                    4:47-53
# CHECK:   v37: bool = compare ge v3, v36            4:47-53
# CHECK:   v38: i32 = convert v1                     4:55-61
# CHECK:   v39: bool = compare ne v38, v4            4:55-61
# CHECK:   v40: i64 = extent 0 v5                    5:18-25
# CHECK:   v41: i64 = convert v1                     5:14-28
# CHECK:   v42: bool = compare lt v41, v40           5:14-28
# CHECK:   v43: i64 = extent 0 v5                    5:34-41
# CHECK:   v44: i64 = convert v2                     5:30-44
# CHECK:   v45: bool = compare lt v44, v43           5:30-44
# CHECK:   v46: i64 = extent 0 v5                    5:50-57
# CHECK:   v47: u64 = convert v46                    5:46-60
# CHECK:   v48: bool = compare lt v3, v47            5:46-60
# CHECK:   v49: i32 = const 0                        6:13-24
# CHECK:   v50: i32 = const 0                        6:13-24
# CHECK:   v51: bool = compare lt v4, v50            6:13-24
# CHECK:   v52: i32 = select v51, v49, v4            6:13-24
# CHECK:   v53: u32 = convert v52                    6:13-24
# CHECK:   v54: u32 = sub v53, v2                    6:4-7:18
# CHECK:   v55: bool = compare lt v2, v53            6:4-7:18
# CHECK:   v56: u32 = const 0                        6:4-7:18
# CHECK:   v57: u32 = select v55, v54, v56           6:4-7:18
# CHECK:   v58: u32 = const 0                        6:4-7:18
# CHECK:   jump b1(v58, v5)                          6:4-7:18
# CHECK: b1(v6: u32, v7: array[f32, 1]):
# CHECK:   v59: bool = compare lt v6, v57            6:4-7:18
# CHECK:   branch v59, b2, b3                        6:4-7:18
# CHECK: b2():
# CHECK:   v60: u32 = add v2, v6                     6:4-7:18
# CHECK:   v61: u32 = const 1                        6:4-7:18
# CHECK:   v62: u32 = add v6, v61                    6:4-7:18
# CHECK:   v63: u64 = convert v60                    7:8-12
# CHECK:   v64: f32 = constf 0.0                     7:8-12
# CHECK:   v65: ptr[f32] = element v7, v63           7:8-12
# CHECK:   store v65, v64                            7:8-12
# CHECK:   jump b1(v62, v7)                          7:8-12
# CHECK: b3():
# CHECK:   v66: i32 = convert v0                     8:13-27
# CHECK:   v67: u32 = convert v4                     8:4-9:18
# CHECK:   v68: u32 = neg v67                        8:4-9:18
# CHECK:   v69: i32 = const 0                        8:4-9:18
# CHECK:   v70: bool = compare gt v4, v69            8:4-9:18
# CHECK:   v71: u32 = select v70, v67, v68           8:4-9:18
# CHECK:   v72: i32 = const 0                        8:4-9:18
# CHECK:   v73: bool = compare gt v4, v72            8:4-9:18
# CHECK:   v74: i32 = select v73, v66, v4            8:4-9:18
# CHECK:   v75: i32 = select v73, v4, v66            8:4-9:18
# CHECK:   v76: bool = compare lt v74, v75           8:4-9:18
# CHECK:   v77: i32 = const 0                        8:4-9:18
# CHECK:   v78: bool = compare ne v4, v77            8:4-9:18
# CHECK:   v79: bool = and v76, v78                  8:4-9:18
# CHECK:   v80: u32 = const 0                        8:4-9:18
# CHECK:   v81: u32 = convert v75                    8:4-9:18
# CHECK:   v82: u32 = convert v74                    8:4-9:18
# CHECK:   v83: u32 = sub v81, v82                   8:4-9:18
# CHECK:   v84: u32 = select v79, v83, v80           8:4-9:18
# CHECK:   v85: u32 = const 0                        8:4-9:18
# CHECK:   jump b4(v85, v7)                          8:4-9:18
# CHECK: b4(v8: u32, v9: array[f32, 1]):
# CHECK:   v86: bool = compare lt v8, v84            8:4-9:18
# CHECK:   branch v86, b5, b6                        8:4-9:18
# CHECK: b5():
# CHECK:   v87: i32 = convert v8                     8:4-9:18
# CHECK:   v88: i32 = neg v87                        8:4-9:18
# CHECK:   v89: i32 = const 0                        8:4-9:18
# CHECK:   v90: bool = compare gt v4, v89            8:4-9:18
# CHECK:   v91: i32 = select v90, v87, v88           8:4-9:18
# CHECK:   v92: i32 = add v66, v91                   8:4-9:18
# CHECK:   v93: u32 = add v8, v71                    8:4-9:18
# CHECK:   v94: bool = compare lt v93, v8            8:4-9:18
# CHECK:   v95: u32 = const 0                        8:4-9:18
# CHECK:   v96: u32 = not v95                        8:4-9:18
# CHECK:   v97: u32 = select v94, v96, v93           8:4-9:18
# CHECK:   v98: i64 = convert v92                    9:8-12
# CHECK:   v99: i64 = extent 0 v9                    9:8-12
# CHECK:   v100: i64 = wrapindex v98, v99            9:8-12
# CHECK:   v101: f32 = constf 1.0                    9:8-12
# CHECK:   v102: ptr[f32] = element v9, v100         9:8-12
# CHECK:   store v102, v101                          9:8-12
# CHECK:   jump b4(v97, v9)                          9:8-12
# CHECK: b6():
# CHECK:   v103: i32 = convert v1                    10:25-34
# CHECK:   v104: bool = compare lt v4, v103          10:25-34
# CHECK:   v105: u8 = convert v4                     10:25-34
# CHECK:   v106: u8 = select v104, v105, v1          10:25-34
# CHECK:   v107: (bool, bool, bool, bool, bool, bool, bool) = tuple v11, v13, v19, v25, v31, v37, v39  10:4-34
# CHECK:   v108: (bool, bool, bool) = tuple v42, v45, v48  10:4-34
# CHECK:   v109: ((bool, bool, bool, bool, bool, bool, bool), (bool, bool, bool), u8) = tuple v107, v108, v106  10:4-34
# CHECK:   return v109                               10:4-34
