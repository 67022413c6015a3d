# SHOW: typed
# FOR: (float32[:, ::1], int)
# FOR: (array[float32, 2, contiguous, index32], int)
def pick(z, i):
    return z[i, -1] + z[0, 1]

# CHECK: pick(z: array[f32, 2, contiguous], i: i32) -> f32
# CHECK: b0(v0: array[f32, 2, contiguous], v1: i32):
# CHECK:   v2: i64 = convert v1                      5:11-19
# CHECK:   v3: i64 = extent 0 v0                     5:11-19
# CHECK:   v4: i64 = wrapindex v2, v3                5:11-19
# CHECK:   v5: i64 = const -1                        5:11-19
# CHECK:   v6: i64 = extent 1 v0                     5:11-19
# CHECK:   v7: i64 = wrapindex v5, v6                5:11-19
# CHECK:   v8: ptr[f32] = element v0, v4, v7         5:11-19
# CHECK:   v9: f32 = load v8                         5:11-19
# CHECK:   v10: i64 = const 0                        5:22-29
# CHECK:   v11: i64 = const 1                        5:22-29
# CHECK:   v12: ptr[f32] = element v0, v10, v11      5:22-29
# CHECK:   v13: f32 = load v12                       5:22-29
# CHECK:   v14: f32 = add v9, v13                    5:11-29
# CHECK:   return v14                                5:4-29
# CHECK: pick(z: array[f32, 2, contiguous, index32], i: i32) -> f32
# CHECK: b0(v0: array[f32, 2, contiguous, index32], v1: i32):
# CHECK:   v2: i64 = extent 0 v0                     5:11-19
# CHECK:   v3: i32 = convert v2                      5:11-19
# CHECK:   v4: i32 = wrapindex v1, v3                5:11-19
# CHECK:   v5: i32 = const -1                        5:11-19
# CHECK:   v6: i64 = extent 1 v0                     5:11-19
# CHECK:   v7: i32 = convert v6                      5:11-19
# CHECK:   v8: i32 = wrapindex v5, v7                5:11-19
# CHECK:   v9: ptr[f32] = element v0, v4, v8         5:11-19
# CHECK:   v10: f32 = load v9                        5:11-19
# CHECK:   v11: i32 = const 0                        5:22-29
# CHECK:   v12: i32 = const 1                        5:22-29
# CHECK:   v13: ptr[f32] = element v0, v11, v12      5:22-29
# CHECK:   v14: f32 = load v13                       5:22-29
# CHECK:   v15: f32 = add v10, v14                   5:11-29
# CHECK:   return v15                                5:4-29
