# SHOW: plan
# KERNEL: yes
# FOR: (array[int32, 1, contiguous, index32], array[int32, 1, contiguous, index32])
# A thread goes through 64 turns before others have theirs, and once it has waited through one at a time.
from hetjit import device
def insert(keys, table):
    i = device.thread_idx.x
    at = keys[i] & 1023
    while device.atomic.cas(table, at, 0, keys[i]) != 0:
        at = (at + 1) & 1023

# CHECK: plan way: phases, tier Threads, because a loop waits for what another thread writes
# CHECK: plan lanes: 1
# CHECK: plan order: warps one after another
# CHECK: plan lanes: may be done when others of their warp wait
# CHECK: plan phase 0: from the kernel's start
# CHECK: plan phase 1: behind a wait for the turn in line 10
# CHECK: plan slot 0: i32, varying
# CHECK:
# CHECK: insert.phase0(keys: array[i32, 1, contiguous, index32], table: array[i32, 1, contiguous, index32], frame: ptr[u8], frame: ptr[u8], frame: u32) -> u32
# CHECK: b0(v0: array[i32, 1, contiguous, index32], v1: array[i32, 1, contiguous, index32], v31: ptr[u8], v32: ptr[u8], v33: u32):
# CHECK:   v30: u32 = const 1                        10:8-10
# CHECK:   jump b1
# CHECK: b1():
# CHECK:   v3: u32 = threadindex 0                   7:8-27
# CHECK:   v4: ptr[i32] = element v0, v3             8:9-16
# CHECK:   v6: i32 = const 1023                      8:9-23
# CHECK:   v21: u32 = const 64                       8:4-6
# CHECK:   v8: ptr[i32] = element v0, v3             9:42-49
# CHECK:   v11: i32 = const 0                        9:10-50
# CHECK:   v13: i32 = const 0                        9:10-55
# CHECK:   v15: i32 = const 1                        10:14-20
# CHECK:   v17: i32 = const 1023                     10:13-28
# CHECK:   v22: u32 = const 1                        10:8-10
# CHECK:   v24: u32 = const 0                        10:8-10
# CHECK:   v5: i32 = load v4                         8:9-16
# CHECK:   v7: i32 = and v5, v6                      8:9-23
# CHECK:   jump b2(v7, v21)                          8:4-6
# CHECK: b2(v2: i32, v20: u32):
# CHECK:   v9: i32 = load v8                         9:42-49
# CHECK:   v10: ptr[i32] = element v1, v2            9:10-50
# CHECK:   v12: i32 = atomiccas relaxed device v10, v11, v9  9:10-50
# CHECK:   v14: bool = compare ne v12, v13           9:10-55
# CHECK:   branch v14, b3, b4                        9:10-55
# CHECK: b3():
# CHECK:   v16: i32 = add v2, v15                    10:14-20
# CHECK:   v18: i32 = and v16, v17                   10:13-28
# CHECK:   v23: u32 = sub v20, v22                   10:8-10
# CHECK:   v25: bool = compare ne v23, v24           10:8-10
# CHECK:   branch v25, b5(v23), b6                   10:8-10
# CHECK: b4():
# CHECK:   v29: u32 = const 0                        9:10-55
# CHECK:   return v29                                9:10-55
# CHECK: b5(v26: u32):
# CHECK:   jump b2(v18, v26)                         10:8-10
# CHECK: b6():
# CHECK:   keep 0 v18                                10:8-10
# CHECK:   jump b7(v30)                              10:8-10
# CHECK: b7(v28: u32):
# CHECK:   return v28
# CHECK:
# CHECK: insert.phase1(keys: array[i32, 1, contiguous, index32], table: array[i32, 1, contiguous, index32], frame: ptr[u8], frame: ptr[u8], frame: u32) -> u32
# CHECK: b0(v0: array[i32, 1, contiguous, index32], v1: array[i32, 1, contiguous, index32], v33: ptr[u8], v34: ptr[u8], v35: u32):
# CHECK:   v3: u32 = threadindex 0                   7:8-27
# CHECK:   v8: ptr[i32] = element v0, v3             9:42-49
# CHECK:   v11: i32 = const 0                        9:10-50
# CHECK:   v13: i32 = const 0                        9:10-55
# CHECK:   v15: i32 = const 1                        10:14-20
# CHECK:   v17: i32 = const 1023                     10:13-28
# CHECK:   v22: u32 = const 1                        10:8-10
# CHECK:   v24: u32 = const 0                        10:8-10
# CHECK:   v27: u32 = const 1                        10:8-10
# CHECK:   v30: i32 = take 0 varying 0
# CHECK:   v32: u32 = const 1                        10:8-10
# CHECK:   jump b1
# CHECK: b1():
# CHECK:   jump b2(v27)                              10:8-10
# CHECK: b2(v26: u32):
# CHECK:   jump b3(v30, v26)                         10:8-10
# CHECK: b3(v2: i32, v20: u32):
# CHECK:   v9: i32 = load v8                         9:42-49
# CHECK:   v10: ptr[i32] = element v1, v2            9:10-50
# CHECK:   v12: i32 = atomiccas relaxed device v10, v11, v9  9:10-50
# CHECK:   v14: bool = compare ne v12, v13           9:10-55
# CHECK:   branch v14, b4, b5                        9:10-55
# CHECK: b4():
# CHECK:   v16: i32 = add v2, v15                    10:14-20
# CHECK:   v18: i32 = and v16, v17                   10:13-28
# CHECK:   v23: u32 = sub v20, v22                   10:8-10
# CHECK:   v25: bool = compare ne v23, v24           10:8-10
# CHECK:   branch v25, b6(v23), b7                   10:8-10
# CHECK: b5():
# CHECK:   v31: u32 = const 0                        9:10-55
# CHECK:   return v31                                9:10-55
# CHECK: b6(v29: u32):
# CHECK:   jump b3(v18, v29)                         10:8-10
# CHECK: b7():
# CHECK:   keep 0 v18                                10:8-10
# CHECK:   jump b8(v32)                              10:8-10
# CHECK: b8(v28: u32):
# CHECK:   return v28
