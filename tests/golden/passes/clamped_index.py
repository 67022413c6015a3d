# SHOW: optimized
# KERNEL: yes
# FOR: (array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32])
from hetjit import device
def f(x, y):
    i = device.tid(1)
    if i < len(y):
        y[i] = x[max(min(i + 1, x.shape[0] - 1), 0)]

# CHECK: f(x: array[f32, 1, contiguous, index32], y: array[f32, 1, contiguous, index32]) -> none
# CHECK: b0(v0: array[f32, 1, contiguous, index32], v1: array[f32, 1, contiguous, index32]):
# CHECK:   v2: u32 = blockindex 0                    6:8-21
# CHECK:   v3: u32 = blockdim 0                      6:8-21
# CHECK:   v4: u32 = mul v2, v3                      6:8-21
# CHECK:   v5: u32 = threadindex 0                   6:8-21
# CHECK:   v6: u32 = add v4, v5                      6:8-21
# CHECK:   v7: i32 = convert v6                      6:8-21
# CHECK:   v8: i64 = extent 0 v1                     7:11-17
# CHECK:   v30: u32 = convert v8                     7:7-17
# CHECK:   v31: bool = compare lt v6, v30            7:7-17
# CHECK:   branch v31, b1, b2                        7:7-17
# CHECK: b1():
# CHECK:   v11: i32 = const 1                        8:25-30
# CHECK:   v12: i32 = add v7, v11                    8:25-30
# CHECK:   v13: i64 = extent 0 v0                    8:32-39
# CHECK:   v32: i32 = convert v13                    8:21-47
# CHECK:   v33: i32 = const 1                        8:21-47
# CHECK:   v34: i32 = sub v32, v33                   8:21-47
# CHECK:   v35: bool = compare lt v34, v12           8:21-47
# CHECK:   v36: i32 = convert v13                    8:21-47
# CHECK:   v37: i32 = const 1                        8:21-47
# CHECK:   v38: i32 = sub v36, v37                   8:21-47
# CHECK:   v39: i32 = select v35, v38, v12           8:21-47
# CHECK:   v41: i32 = const 0                        8:17-51
# CHECK:   v42: bool = compare gt v41, v39           8:17-51
# CHECK:   v43: i32 = const 0                        8:17-51
# CHECK:   v44: i32 = select v42, v43, v39           8:17-51
# CHECK:   v25: ptr[f32] = element v0, v44           8:15-52
# CHECK:   v26: f32 = load v25                       8:15-52
# CHECK:   v27: ptr[f32] = element v1, v7            8:8-12
# CHECK:   store v27, v26                            8:8-12
# CHECK:   v28: none = none                          8:8-12
# CHECK:   return v28                                8:8-12
# CHECK: b2():
# CHECK:   v29: none = none                          7:7-17
# CHECK:   return v29                                7:7-17
