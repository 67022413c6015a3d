# SHOW: typed
# FOR: (float64[::1])
def total(x):
    acc = 0.0
    for i in range(len(x)):
        acc += x[i]
    return acc

# CHECK: total(x: array[f64, 1, contiguous]) -> f64
# CHECK: b0(v0: array[f64, 1, contiguous]):
# CHECK:   v3: i64 = extent 0 v0                     5:19-25
# CHECK:   v4: i64 = const 0                         5:4-6:19
# CHECK:   v5: u64 = convert v3                      5:4-6:19
# CHECK:   v6: u64 = convert v4                      5:4-6:19
# CHECK:   v7: u64 = sub v5, v6                      5:4-6:19
# CHECK:   v8: bool = compare lt v4, v3              5:4-6:19
# CHECK:   v9: u64 = const 0                         5:4-6:19
# CHECK:   v10: u64 = select v8, v7, v9              5:4-6:19
# CHECK:   v11: u64 = const 0                        5:4-6:19
# CHECK:   v12: f64 = constf 0.0                     5:4-6:19
# CHECK:   jump b1(v11, v12)                         5:4-6:19
# CHECK: b1(v1: u64, v2: f64):
# CHECK:   v13: bool = compare lt v1, v10            5:4-6:19
# CHECK:   branch v13, b2, b3                        5:4-6:19
# CHECK: b2():
# CHECK:   v14: i64 = convert v1                     5:4-6:19
# CHECK:   v15: u64 = const 1                        5:4-6:19
# CHECK:   v16: u64 = add v1, v15                    5:4-6:19
# CHECK:   v17: ptr[f64] = element v0, v14           6:15-19
# CHECK:   v18: f64 = load v17                       6:15-19
# CHECK:   v19: f64 = add v2, v18                    6:8-19
# CHECK:   jump b1(v16, v19)                         6:8-11
# CHECK: b3():
# CHECK:   return v2                                 7:4-14
