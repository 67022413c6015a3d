# SHOW: typed
# KERNEL: yes
# ROW: HETX-MEM-1
# ROW: HETX-MEM-2
# FOR: (float32[::1])
from hetjit import device
N = 4
def made_twice(i):
    return device.shared_array(8, int)[i]
def f(out):
    i = device.tid(1)
    tile = device.shared_array((N, 2 * N), device.float32, align=128)
    turned = device.shared_array((2, 3), device.float32x3, order="F")
    one = device.shared_array((), device.int8)
    own = device.local_array(5, device.float64)
    rest = device.dynamic_shared_array()
    doubles = device.dynamic_shared_array(device.float64)
    tile[i, i] = 1
    turned[1, i] = device.float32x3(1, 2, 3)
    one[()] = 3
    own[i] = 0.5
    rest[i] = 7
    doubles[len(doubles) - 1] = own[0]
    out[i] = tile.shape[1] + tile[0, 1] + made_twice(i) + made_twice(i + 1)

# CHECK: f(out: array[f32, 1, contiguous]) -> none
# CHECK: b0(v0: array[f32, 1, contiguous]):
# CHECK:   v1: u32 = blockindex 0                    11:8-21
# CHECK:   v2: u32 = blockdim 0                      11:8-21
# CHECK:   v3: u32 = mul v1, v2                      11:8-21
# CHECK:   v4: u32 = threadindex 0                   11:8-21
# CHECK:   v5: u32 = add v3, v4                      11:8-21
# CHECK:   v6: i32 = convert v5                      11:8-21
# CHECK:   v7: ptr[f32] = sharedmemory 0 128 128     12:11-69
# CHECK:   v8: i64 = const 4                         12:11-69
# CHECK:   v9: i64 = const 8                         12:11-69
# CHECK:   v10: array[f32, 2, contiguous, index32] = makearray v7, v8, v9  12:11-69
# CHECK:   v11: ptr[f32x3] = sharedmemory 1 72 4     13:13-69
# CHECK:   v12: i64 = const 2                        13:13-69
# CHECK:   v13: i64 = const 3                        13:13-69
# CHECK:   v14: i64 = const 1                        13:13-69
# CHECK:   v15: i64 = const 2                        13:13-69
# CHECK:   v16: array[f32x3, 2, index32] = makearray v11, v12, v13, v14, v15  13:13-69
# CHECK:   v17: ptr[i8] = sharedmemory 2 1 1         14:10-46
# CHECK:   v18: array[i8, 0, contiguous, index32] = makearray v17  14:10-46
# CHECK:   v19: ptr[f64] = localmemory 0 40 8        15:10-47
# CHECK:   v20: i64 = const 5                        15:10-47
# CHECK:   v21: array[f64, 1, contiguous, index32] = makearray v19, v20  15:10-47
# CHECK:   v22: ptr[u8] = dynamicshared              16:11-40
# CHECK:   v23: u32 = dynamicsharedbytes             16:11-40
# CHECK:   v24: i64 = convert v23                    16:11-40
# CHECK:   v25: array[u8, 1, contiguous, index32] = makearray v22, v24  16:11-40
# CHECK:   v26: ptr[f64] = dynamicshared             17:14-57
# CHECK:   v27: u32 = dynamicsharedbytes             17:14-57
# CHECK:   v28: u32 = const 8                        17:14-57
# CHECK:   v29: u32 = floordiv v27, v28              17:14-57
# CHECK:   v30: i64 = convert v29                    17:14-57
# CHECK:   v31: array[f64, 1, contiguous, index32] = makearray v26, v30  17:14-57
# CHECK:   v32: f32 = constf 1.0                     18:4-14
# CHECK:   v33: ptr[f32] = element v10, v6, v6       18:4-14
# CHECK:   store v33, v32                            18:4-14
# CHECK:   v34: f32 = constf 1.0                     19:19-44
# CHECK:   v35: f32 = constf 2.0                     19:19-44
# CHECK:   v36: f32 = constf 3.0                     19:19-44
# CHECK:   v37: i32 = const 1                        19:4-16
# CHECK:   v38: ptr[f32x3] = element v16, v37, v6    19:4-16
# CHECK:   v39: f32x3 = tuple v34, v35, v36          19:4-16
# CHECK:   store v38, v39                            19:4-16
# CHECK:   v40: i8 = const 3                         20:4-11
# CHECK:   v41: ptr[i8] = element v18                20:4-11
# CHECK:   store v41, v40                            20:4-11
# CHECK:   v42: f64 = constf 0.5                     21:4-10
# CHECK:   v43: ptr[f64] = element v21, v6           21:4-10
# CHECK:   store v43, v42                            21:4-10
# CHECK:   v44: u8 = const 7                         22:4-11
# CHECK:   v45: ptr[u8] = element v25, v6            22:4-11
# CHECK:   store v45, v44                            22:4-11
# CHECK:   v46: i32 = const 0                        23:32-38
# CHECK:   v47: ptr[f64] = element v21, v46          23:32-38
# CHECK:   v48: f64 = load v47                       23:32-38
# CHECK:   v49: i64 = extent 0 v31                   23:12-24
# CHECK:   v50: i64 = const 1                        23:12-28
# CHECK:   v51: i64 = sub v49, v50                   23:12-28
# CHECK:   v52: i32 = convert v51                    23:4-29
# CHECK:   v53: i64 = extent 0 v31                   23:4-29
# CHECK:   v54: i32 = convert v53                    23:4-29
# CHECK:   v55: i32 = wrapindex v52, v54             23:4-29
# CHECK:   v56: ptr[f64] = element v31, v55          23:4-29
# CHECK:   store v56, v48                            23:4-29
# CHECK:   v57: i64 = extent 0 v10                   24:13-23
# CHECK:   v58: i64 = extent 1 v10                   24:13-23
# CHECK:   v59: i32 = const 0                        24:29-39
# CHECK:   v60: i32 = const 1                        24:29-39
# CHECK:   v61: ptr[f32] = element v10, v59, v60     24:29-39
# CHECK:   v62: f32 = load v61                       24:29-39
# CHECK:   v63: f32 = convert v58                    24:13-39
# CHECK:   v64: f32 = add v63, v62                   24:13-39
# CHECK:   v65: i32 = call 1 v6                      24:42-55
# CHECK:   v66: f32 = convert v65                    24:13-55
# CHECK:   v67: f32 = add v64, v66                   24:13-55
# CHECK:   v68: i32 = const 1                        24:69-74
# CHECK:   v69: i32 = add v6, v68                    24:69-74
# CHECK:   v70: i32 = call 2 v69                     24:58-75
# CHECK:   v71: f32 = convert v70                    24:13-75
# CHECK:   v72: f32 = add v67, v71                   24:13-75
# CHECK:   v73: i64 = convert v6                     24:4-10
# CHECK:   v74: ptr[f32] = element v0, v73           24:4-10
# CHECK:   store v74, v72                            24:4-10
# CHECK:   v75: none = none                          24:4-10
# CHECK:   return v75                                24:4-10
# CHECK:
# CHECK: made_twice(i: i32) -> i32
# CHECK: b0(v0: i32):
# CHECK:   v1: ptr[i32] = sharedmemory 3 32 4        @1 9:11-38
# CHECK:   v2: i64 = const 8                         @1 9:11-38
# CHECK:   v3: array[i32, 1, contiguous, index32] = makearray v1, v2  @1 9:11-38
# CHECK:   v4: ptr[i32] = element v3, v0             @1 9:11-41
# CHECK:   v5: i32 = load v4                         @1 9:11-41
# CHECK:   return v5                                 @1 9:4-41
# CHECK:
# CHECK: made_twice.1(i: i32) -> i32
# CHECK: b0(v0: i32):
# CHECK:   v1: ptr[i32] = sharedmemory 3 32 4        @1 9:11-38
# CHECK:   v2: i64 = const 8                         @1 9:11-38
# CHECK:   v3: array[i32, 1, contiguous, index32] = makearray v1, v2  @1 9:11-38
# CHECK:   v4: i64 = extent 0 v3                     @1 9:11-41
# CHECK:   v5: i32 = convert v4                      @1 9:11-41
# CHECK:   v6: i32 = wrapindex v0, v5                @1 9:11-41
# CHECK:   v7: ptr[i32] = element v3, v6             @1 9:11-41
# CHECK:   v8: i32 = load v7                         @1 9:11-41
# CHECK:   return v8                                 @1 9:4-41
