# SHOW: typed
# KERNEL: yes
# ROW: HETX-WS-1
# ROW: HETX-WS-2
# FOR: (int32[::1], uint32)
from hetjit import device
def f(out, some):
    i = device.tid(1)
    mask = device.activemask()
    mask[3] = out[i] > 0
    device.syncwarp()
    device.syncwarp(mask)
    a = device.all_sync(mask, out[i] == 1)
    b = device.any_sync(0xFFFFFFFF, lambda: out[i])
    c = device.eq_sync(some, out[i])
    d = device.ballot_sync(device.FULL_MASK, a or b)
    below = device.popc(d & device.lanemask_lt())
    out[i] = below + d[i] + c + device.WarpMask(5)[0]

# CHECK: f(out: array[i32, 1, contiguous], some: u32) -> none
# CHECK: b0(v0: array[i32, 1, contiguous], v1: u32):
# CHECK:   v3: u32 = blockindex 0                    8:8-21
# CHECK:   v4: u32 = blockdim 0                      8:8-21
# CHECK:   v5: u32 = mul v3, v4                      8:8-21
# CHECK:   v6: u32 = threadindex 0                   8:8-21
# CHECK:   v7: u32 = add v5, v6                      8:8-21
# CHECK:   v8: i32 = convert v7                      8:8-21
# CHECK:   v9: u32 = activemask                      9:11-30
# CHECK:   v10: i32 = convert v9                     9:11-30
# CHECK:   v11: i64 = convert v8                     10:14-20
# CHECK:   v12: ptr[i32] = element v0, v11           10:14-20
# CHECK:   v13: i32 = load v12                       10:14-20
# CHECK:   v14: i32 = const 0                        10:14-24
# CHECK:   v15: bool = compare gt v13, v14           10:14-24
# CHECK:   v16: i32 = const 1                        10:4-11
# CHECK:   v17: i32 = const 3                        10:4-11
# CHECK:   v18: i32 = shl v16, v17                   10:4-11
# CHECK:   v19: i32 = or v10, v18                    10:4-11
# CHECK:   v20: i32 = not v18                        10:4-11
# CHECK:   v21: i32 = and v10, v20                   10:4-11
# CHECK:   v22: i32 = select v15, v19, v21           10:4-11
# CHECK:   v23: u32 = const 4294967295               11:4-21
# CHECK:   warpbarrier v23                           11:4-21
# CHECK:   v24: u32 = convert v22                    12:4-25
# CHECK:   warpbarrier v24                           12:4-25
# CHECK:   v25: i64 = convert v8                     13:30-36
# CHECK:   v26: ptr[i32] = element v0, v25           13:30-36
# CHECK:   v27: i32 = load v26                       13:30-36
# CHECK:   v28: i32 = const 1                        13:30-41
# CHECK:   v29: bool = compare eq v27, v28           13:30-41
# CHECK:   v30: u32 = convert v22                    13:8-42
# CHECK:   v31: bool = vote all v30, v29             13:8-42
# CHECK:   v32: i32 = call 1 v8, v0                  14:8-51
# CHECK:   v33: bool = convert v32                   14:8-51
# CHECK:   v34: u32 = const 4294967295               14:8-51
# CHECK:   v35: bool = vote any v34, v33             14:8-51
# CHECK:   v36: i64 = convert v8                     15:29-35
# CHECK:   v37: ptr[i32] = element v0, v36           15:29-35
# CHECK:   v38: i32 = load v37                       15:29-35
# CHECK:   v39: bool = convert v38                   15:8-36
# CHECK:   v40: bool = vote equal v1, v39            15:8-36
# CHECK:   branch v31, b2(v31), b1                   16:45-51
# CHECK: b1():
# CHECK:   jump b2(v35)                              16:50-51
# CHECK: b2(v2: bool):
# CHECK:   v41: u32 = const 4294967295               16:8-52
# CHECK:   v42: u32 = ballot v41, v2                 16:8-52
# CHECK:   v43: i32 = convert v42                    16:8-52
# CHECK:   v44: u32 = laneindex                      17:28-48
# CHECK:   v45: u32 = const 1                        17:28-48
# CHECK:   v46: u32 = shl v45, v44                   17:28-48
# CHECK:   v47: u32 = sub v46, v45                   17:28-48
# CHECK:   v48: i32 = convert v47                    17:28-48
# CHECK:   v49: i32 = and v43, v48                   17:24-48
# CHECK:   v50: i32 = countones v49                  17:12-49
# CHECK:   v51: i32 = const 1                        18:21-25
# CHECK:   v52: i32 = shl v51, v8                    18:21-25
# CHECK:   v53: i32 = and v43, v52                   18:21-25
# CHECK:   v54: i32 = const 0                        18:21-25
# CHECK:   v55: bool = compare ne v53, v54           18:21-25
# CHECK:   v56: i32 = convert v55                    18:13-25
# CHECK:   v57: i32 = add v50, v56                   18:13-25
# CHECK:   v58: i32 = convert v40                    18:13-29
# CHECK:   v59: i32 = add v57, v58                   18:13-29
# CHECK:   v60: u32 = const 5                        18:32-50
# CHECK:   v61: i32 = convert v60                    18:32-50
# CHECK:   v62: i32 = const 1                        18:32-53
# CHECK:   v63: i32 = const 0                        18:32-53
# CHECK:   v64: i32 = shl v62, v63                   18:32-53
# CHECK:   v65: i32 = and v61, v64                   18:32-53
# CHECK:   v66: i32 = const 0                        18:32-53
# CHECK:   v67: bool = compare ne v65, v66           18:32-53
# CHECK:   v68: i32 = convert v67                    18:13-53
# CHECK:   v69: i32 = add v59, v68                   18:13-53
# CHECK:   v70: i64 = convert v8                     18:4-10
# CHECK:   v71: ptr[i32] = element v0, v70           18:4-10
# CHECK:   store v71, v69                            18:4-10
# CHECK:   v72: none = none                          18:4-10
# CHECK:   return v72                                18:4-10
# CHECK:
# CHECK: <lambda>(i: i32, out: array[i32, 1, contiguous]) -> i32
# CHECK: b0(v0: i32, v1: array[i32, 1, contiguous]):
# CHECK:   v2: i64 = convert v0                      @1 14:44-50
# CHECK:   v3: ptr[i32] = element v1, v2             @1 14:44-50
# CHECK:   v4: i32 = load v3                         @1 14:44-50
# CHECK:   return v4                                 @1 14:0-0
