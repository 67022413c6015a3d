# SHOW: typed
# FOR: (array[float32, 2, contiguous, index32], int)
# FOR: (float32[:, :], int)
def row_sum(a, i):
    row = a[i]
    s = 0.0
    for j in range(row.shape[0]):
        s += row[j]
    return s

# CHECK: row_sum(a: array[f32, 2, contiguous, index32], i: i32) -> f32
# CHECK: b0(v0: array[f32, 2, contiguous, index32], v1: i32):
# CHECK:   v4: i64 = extent 0 v0                     5:10-14
# CHECK:   v5: i32 = convert v4                      5:10-14
# CHECK:   v6: i32 = wrapindex v1, v5                5:10-14
# CHECK:   v7: i64 = extent 1 v0                     5:10-14
# CHECK:   v8: i32 = const 0                         5:10-14
# CHECK:   v9: ptr[f32] = element v0, v6, v8         5:10-14
# CHECK:   v10: array[f32, 1, contiguous, index32] = makearray v9, v7  5:10-14
# CHECK:   v11: i64 = extent 0 v10                   7:19-28
# CHECK:   v12: i64 = const 0                        7:4-8:19
# CHECK:   v13: u64 = convert v11                    7:4-8:19
# CHECK:   v14: u64 = convert v12                    7:4-8:19
# CHECK:   v15: u64 = sub v13, v14                   7:4-8:19
# CHECK:   v16: bool = compare lt v12, v11           7:4-8:19
# CHECK:   v17: u64 = const 0                        7:4-8:19
# CHECK:   v18: u64 = select v16, v15, v17           7:4-8:19
# CHECK:   v19: u64 = const 0                        7:4-8:19
# CHECK:   v20: f32 = constf 0.0                     7:4-8:19
# CHECK:   jump b1(v19, v20)                         7:4-8:19
# CHECK: b1(v2: u64, v3: f32):
# CHECK:   v21: bool = compare lt v2, v18            7:4-8:19
# CHECK:   branch v21, b2, b3                        7:4-8:19
# CHECK: b2():
# CHECK:   v22: i64 = convert v2                     7:4-8:19
# CHECK:   v23: u64 = const 1                        7:4-8:19
# CHECK:   v24: u64 = add v2, v23                    7:4-8:19
# CHECK:   v25: i32 = convert v22                    8:13-19
# CHECK:   v26: ptr[f32] = element v10, v25          8:13-19
# CHECK:   v27: f32 = load v26                       8:13-19
# CHECK:   v28: f32 = add v3, v27                    8:8-19
# CHECK:   jump b1(v24, v28)                         8:8-9
# CHECK: b3():
# CHECK:   return v3                                 9:4-12
# CHECK: row_sum(a: array[f32, 2], i: i32) -> f32
# CHECK: b0(v0: array[f32, 2], v1: i32):
# CHECK:   v4: i64 = convert v1                      5:10-14
# CHECK:   v5: i64 = extent 0 v0                     5:10-14
# CHECK:   v6: i64 = wrapindex v4, v5                5:10-14
# CHECK:   v7: i64 = extent 1 v0                     5:10-14
# CHECK:   v8: i64 = const 0                         5:10-14
# CHECK:   v9: i64 = stride 1 v0                     5:10-14
# CHECK:   v10: ptr[f32] = element v0, v6, v8        5:10-14
# CHECK:   v11: array[f32, 1] = makearray v10, v7, v9  5:10-14
# CHECK:   v12: i64 = extent 0 v11                   7:19-28
# CHECK:   v13: i64 = const 0                        7:4-8:19
# CHECK:   v14: u64 = convert v12                    7:4-8:19
# CHECK:   v15: u64 = convert v13                    7:4-8:19
# CHECK:   v16: u64 = sub v14, v15                   7:4-8:19
# CHECK:   v17: bool = compare lt v13, v12           7:4-8:19
# CHECK:   v18: u64 = const 0                        7:4-8:19
# CHECK:   v19: u64 = select v17, v16, v18           7:4-8:19
# CHECK:   v20: u64 = const 0                        7:4-8:19
# CHECK:   v21: f32 = constf 0.0                     7:4-8:19
# CHECK:   jump b1(v20, v21)                         7:4-8:19
# CHECK: b1(v2: u64, v3: f32):
# CHECK:   v22: bool = compare lt v2, v19            7:4-8:19
# CHECK:   branch v22, b2, b3                        7:4-8:19
# CHECK: b2():
# CHECK:   v23: i64 = convert v2                     7:4-8:19
# CHECK:   v24: u64 = const 1                        7:4-8:19
# CHECK:   v25: u64 = add v2, v24                    7:4-8:19
# CHECK:   v26: ptr[f32] = element v11, v23          8:13-19
# CHECK:   v27: f32 = load v26                       8:13-19
# CHECK:   v28: f32 = add v3, v27                    8:8-19
# CHECK:   jump b1(v25, v28)                         8:8-9
# CHECK: b3():
# CHECK:   return v3                                 9:4-12

# ROW: HET-ARR-3
