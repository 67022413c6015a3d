# SHOW: typed
# FOR: (float32, int32)
from hetjit import device
def f(x, i):
    v = device.float32x3(x, 2, 0.5)
    w = v * 2 + v
    old = v
    v.x = 7
    v[-1] += 1
    n, r = -v, v.astype(device.int32).replace(0, 9)
    return old == v, w.y, v[i], len(v), v.size, n.x, n[1], r.x, r.z

# CHECK: f(x: f32, i: i32) -> (bool, f32, f32, i32, i32, f32, f32, i32, i32)
# CHECK: b0(v0: f32, v1: i32):
# CHECK:   v2: f32 = constf 2.0                      5:8-35
# CHECK:   v3: f32 = constf 0.5                      5:8-35
# CHECK:   v4: f32 = constf 2.0                      6:8-13
# CHECK:   v5: f32 = mul v0, v4                      6:8-13
# CHECK:   v6: f32 = constf 2.0                      6:8-13
# CHECK:   v7: f32 = mul v2, v6                      6:8-13
# CHECK:   v8: f32 = constf 2.0                      6:8-13
# CHECK:   v9: f32 = mul v3, v8                      6:8-13
# CHECK:   v10: f32 = add v5, v0                     6:8-17
# CHECK:   v11: f32 = add v7, v2                     6:8-17
# CHECK:   v12: f32 = add v9, v3                     6:8-17
# CHECK:   v13: f32 = constf 7.0                     8:4-7
# CHECK:   v14: f32 = constf 1.0                     9:4-14
# CHECK:   v15: f32 = add v3, v14                    9:4-14
# CHECK:   v16: f32 = neg v13                        10:11-13
# CHECK:   v17: f32 = neg v2                         10:11-13
# CHECK:   v18: f32 = neg v15                        10:11-13
# CHECK:   v19: i32 = convert v13                    10:15-37
# CHECK:   v20: i32 = convert v2                     10:15-37
# CHECK:   v21: i32 = convert v15                    10:15-37
# CHECK:   v22: i32 = const 9                        10:15-51
# CHECK:   v23: bool = compare eq v0, v13            11:11-19
# CHECK:   v24: bool = const true                    11:11-19
# CHECK:   v25: bool = and v24, v23                  11:11-19
# CHECK:   v26: bool = compare eq v2, v2             11:11-19
# CHECK:   v27: bool = and v25, v26                  11:11-19
# CHECK:   v28: bool = compare eq v3, v15            11:11-19
# CHECK:   v29: bool = and v27, v28                  11:11-19
# CHECK:   v30: i32 = const 3                        11:26-30
# CHECK:   v31: i32 = wrapindex v1, v30              11:26-30
# CHECK:   v32: i32 = const 0                        11:26-30
# CHECK:   v33: bool = compare eq v31, v32           11:26-30
# CHECK:   v34: i32 = const 1                        11:26-30
# CHECK:   v35: bool = compare eq v31, v34           11:26-30
# CHECK:   v36: f32 = select v35, v2, v15            11:26-30
# CHECK:   v37: f32 = select v33, v13, v36           11:26-30
# CHECK:   v38: i32 = const 3                        11:4-67
# CHECK:   v39: i32 = const 3                        11:4-67
# CHECK:   v40: (bool, f32, f32, i32, i32, f32, f32, i32, i32) = tuple v29, v11, v37, v38, v39, v16, v17, v22, v21  11:4-67
# CHECK:   return v40                                11:4-67
# RUN: f(1.0, 2) == (False, 6.0, 1.5, 3, 3, -7.0, -2.0, 9, 1)
# RUN: f(1.0, -3) == (False, 6.0, 7.0, 3, 3, -7.0, -2.0, 9, 1)
