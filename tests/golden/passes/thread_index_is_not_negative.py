# SHOW: optimized
# KERNEL: yes
# FOR: (array[float32, 1, contiguous, index32])
from hetjit import device
def f(x):
    i = device.tid(1)
    if i < len(x):
        x[i] = x[i] * 2

# CHECK: f(x: array[f32, 1, contiguous, index32]) -> none
# CHECK: b0(v0: array[f32, 1, contiguous, index32]):
# CHECK:   v1: u32 = blockindex 0                    6:8-21
# CHECK:   v2: u32 = blockdim 0                      6:8-21
# CHECK:   v3: u32 = mul v1, v2                      6:8-21
# CHECK:   v4: u32 = threadindex 0                   6:8-21
# CHECK:   v5: u32 = add v3, v4                      6:8-21
# CHECK:   v6: i32 = convert v5                      6:8-21
# CHECK:   v7: i64 = extent 0 v0                     7:11-17
# CHECK:   v17: u32 = convert v7                     7:7-17
# CHECK:   v18: bool = compare lt v5, v17            7:7-17
# CHECK:   branch v18, b1, b2                        7:7-17
# CHECK: b1():
# CHECK:   v10: ptr[f32] = element v0, v6            8:15-19
# CHECK:   v11: f32 = load v10                       8:15-19
# CHECK:   v12: f32 = constf 2.0                     8:15-23
# CHECK:   v13: f32 = mul v11, v12                   8:15-23
# CHECK:   v14: ptr[f32] = element v0, v6            8:8-12
# CHECK:   store v14, v13                            8:8-12
# CHECK:   v15: none = none                          8:8-12
# CHECK:   return v15                                8:8-12
# CHECK: b2():
# CHECK:   v16: none = none                          7:7-17
# CHECK:   return v16                                7:7-17
