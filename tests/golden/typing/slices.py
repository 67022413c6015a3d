# SHOW: optimized
# FOR: (array[float32, 1, contiguous, index32], int, int)
def f(a, n, step):
    return a[2:].shape[0] + a[:-1].shape[0] + a[1:n:2].shape[0] + a[::-1].shape[0], a[3:n:step].shape[0]

# CHECK: f(a: array[f32, 1, contiguous, index32], n: i32, step: i32) -> (i64, i64)
# CHECK: b0(v0: array[f32, 1, contiguous, index32], v1: i32, v2: i32):
# CHECK:   v3: i64 = extent 0 v0                     4:11-16
# CHECK:   v5: i64 = const 2                         4:11-16
# CHECK:   v6: bool = compare lt v5, v3              4:11-16
# CHECK:   v7: i64 = select v6, v5, v3               4:11-16
# CHECK:   v8: i64 = sub v3, v7                      4:11-16
# CHECK:   v14: i64 = extent 0 v0                    4:28-34
# CHECK:   v15: i64 = const 0                        4:28-34
# CHECK:   v16: i64 = const -1                       4:28-34
# CHECK:   v17: i64 = add v14, v16                   4:28-34
# CHECK:   v18: bool = compare lt v17, v15           4:28-34
# CHECK:   v19: i64 = select v18, v15, v17           4:28-34
# CHECK:   v25: i64 = add v8, v19                    4:11-43
# CHECK:   v26: i64 = extent 0 v0                    4:46-54
# CHECK:   v27: i64 = const 0                        4:46-54
# CHECK:   v28: i64 = const 1                        4:46-54
# CHECK:   v29: bool = compare lt v28, v26           4:46-54
# CHECK:   v30: i64 = select v29, v28, v26           4:46-54
# CHECK:   v31: i64 = convert v1                     4:46-54
# CHECK:   v32: i64 = wrapindex v31, v26             4:46-54
# CHECK:   v33: bool = compare lt v32, v26           4:46-54
# CHECK:   v34: i64 = select v33, v32, v26           4:46-54
# CHECK:   v35: bool = compare lt v34, v27           4:46-54
# CHECK:   v36: i64 = select v35, v27, v34           4:46-54
# CHECK:   v37: i64 = sub v36, v30                   4:46-54
# CHECK:   v38: i64 = const 0                        4:46-54
# CHECK:   v39: bool = compare lt v38, v37           4:46-54
# CHECK:   v40: i64 = select v39, v37, v38           4:46-54
# CHECK:   v43: i64 = const 1                        4:46-54
# CHECK:   v109: i32 = const 1                       4:46-54
# CHECK:   v110: i32 = convert v40                   4:46-54
# CHECK:   v111: i32 = const 1                       4:46-54
# CHECK:   v112: i32 = sub v110, v111                4:46-54
# CHECK:   v113: i32 = shr v112, v109                4:46-54
# CHECK:   v114: i64 = convert v113                  4:46-54
# CHECK:   v46: i64 = add v114, v43                  4:46-54
# CHECK:   v53: i64 = add v25, v46                   4:11-63
# CHECK:   v54: i64 = extent 0 v0                    4:66-73
# CHECK:   v55: i64 = const -1                       4:66-73
# CHECK:   v56: i64 = add v54, v55                   4:66-73
# CHECK:   v57: i64 = sub v56, v55                   4:66-73
# CHECK:   v65: i64 = add v53, v57                   4:11-82
# CHECK:   v66: i64 = extent 0 v0                    4:84-95
# CHECK:   v67: i64 = const 0                        4:84-95
# CHECK:   v68: i64 = const -1                       4:84-95
# CHECK:   v69: i64 = convert v2                     4:84-95
# CHECK:   v124: i32 = const 0                       4:84-95
# CHECK:   v125: bool = compare lt v124, v2          4:84-95
# CHECK:   v74: i64 = add v66, v68                   4:84-95
# CHECK:   v75: i64 = select v125, v67, v68          4:84-95
# CHECK:   v76: i64 = select v125, v66, v74          4:84-95
# CHECK:   v77: i64 = const 3                        4:84-95
# CHECK:   v78: bool = compare lt v77, v76           4:84-95
# CHECK:   v79: i64 = select v78, v77, v76           4:84-95
# CHECK:   v80: i64 = convert v1                     4:84-95
# CHECK:   v81: i64 = wrapindex v80, v66             4:84-95
# CHECK:   v82: bool = compare lt v81, v76           4:84-95
# CHECK:   v83: i64 = select v82, v81, v76           4:84-95
# CHECK:   v84: bool = compare lt v83, v75           4:84-95
# CHECK:   v85: i64 = select v84, v75, v83           4:84-95
# CHECK:   v86: i64 = select v125, v85, v79          4:84-95
# CHECK:   v87: i64 = select v125, v79, v85          4:84-95
# CHECK:   v88: i64 = sub v86, v87                   4:84-95
# CHECK:   v89: i64 = const 0                        4:84-95
# CHECK:   v90: bool = compare lt v89, v88           4:84-95
# CHECK:   v91: i64 = select v90, v88, v89           4:84-95
# CHECK:   v92: i64 = neg v69                        4:84-95
# CHECK:   v93: i64 = select v125, v69, v92          4:84-95
# CHECK:   v94: i64 = const 1                        4:84-95
# CHECK:   v95: i64 = sub v91, v94                   4:84-95
# CHECK:   v96: i64 = floordiv v95, v93              4:84-95
# CHECK:   v97: i64 = add v96, v94                   4:84-95
# CHECK:   v126: i32 = const 0                       4:84-95
# CHECK:   v127: bool = compare ne v2, v126          4:84-95
# CHECK:   v99: i64 = select v127, v97, v67          4:84-95
# CHECK:   v106: (i64, i64) = tuple v65, v99         4:4-104
# CHECK:   return v106                               4:4-104

# ROW: HET-ARR-4
