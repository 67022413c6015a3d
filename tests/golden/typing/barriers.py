# SHOW: typed
# KERNEL: yes
# ROW: HETX-BS-1
# FOR: (int32[::1])
from hetjit import device
def f(out):
    i = device.tid(1)
    device.syncthreads()
    count = device.syncthreads_count(out[i] > 0)
    every = device.syncthreads_and(lambda: out[i])
    some = device.syncthreads_or(True)
    device.syncgrid()
    out[i] = count if every and some else 0

# CHECK: f(out: array[i32, 1, contiguous]) -> none
# CHECK: b0(v0: array[i32, 1, contiguous]):
# CHECK:   v2: u32 = blockindex 0                    7:8-21
# CHECK:   v3: u32 = blockdim 0                      7:8-21
# CHECK:   v4: u32 = mul v2, v3                      7:8-21
# CHECK:   v5: u32 = threadindex 0                   7:8-21
# CHECK:   v6: u32 = add v4, v5                      7:8-21
# CHECK:   v7: i32 = convert v6                      7:8-21
# CHECK:   barrier                                   8:4-24
# CHECK:   v8: i64 = convert v7                      9:37-43
# CHECK:   v9: ptr[i32] = element v0, v8             9:37-43
# CHECK:   v10: i32 = load v9                        9:37-43
# CHECK:   v11: i32 = const 0                        9:37-47
# CHECK:   v12: bool = compare gt v10, v11           9:37-47
# CHECK:   v13: i32 = barriervote count v12          9:12-48
# CHECK:   v14: i32 = call 1 v7, v0                  10:12-50
# CHECK:   v15: bool = convert v14                   10:12-50
# CHECK:   v16: bool = barriervote and v15           10:12-50
# CHECK:   v17: bool = const true                    11:11-38
# CHECK:   v18: bool = barriervote or v17            11:11-38
# CHECK:   gridbarrier                               12:4-21
# CHECK:   branch v16, b1, b3                        13:13-43
# CHECK: b1():
# CHECK:   branch v18, b2, b3                        13:13-43
# CHECK: b2():
# CHECK:   jump b4(v13)                              13:13-18
# CHECK: b3():
# CHECK:   v19: i32 = const 0                        13:42-43
# CHECK:   jump b4(v19)                              13:42-43
# CHECK: b4(v1: i32):
# CHECK:   v20: i64 = convert v7                     13:4-10
# CHECK:   v21: ptr[i32] = element v0, v20           13:4-10
# CHECK:   store v21, v1                             13:4-10
# CHECK:   v22: none = none                          13:4-10
# CHECK:   return v22                                13:4-10
# CHECK:
# CHECK: <lambda>(i: i32, out: array[i32, 1, contiguous]) -> i32
# CHECK: b0(v0: i32, v1: array[i32, 1, contiguous]):
# CHECK:   v2: i64 = convert v0                      @1 10:43-49
# CHECK:   v3: ptr[i32] = element v1, v2             @1 10:43-49
# CHECK:   v4: i32 = load v3                         @1 10:43-49
# CHECK:   return v4                                 @1 10:0-0
