# SHOW: typed
# TARGET: hip:gfx90a
# KERNEL: yes
# ROW: HETX-WS-1
# FOR: (int64[::1])
from hetjit import device
def f(out):
    mask = device.ballot_sync(-1, out[0])
    device.syncwarp(0xFFFFFFFFFFFFFFFF)
    out[1] = mask
    out[2] = device.lanemask_lt()
    out[3] = mask[63]

# CHECK: f(out: array[i64, 1, contiguous]) -> none
# CHECK: b0(v0: array[i64, 1, contiguous]):
# CHECK:   v1: i64 = const 0                         8:34-40
# CHECK:   v2: ptr[i64] = element v0, v1             8:34-40
# CHECK:   v3: i64 = load v2                         8:34-40
# CHECK:   v4: bool = convert v3                     8:11-41
# CHECK:   v5: u64 = const 18446744073709551615      8:11-41
# CHECK:   v6: u64 = ballot v5, v4                   8:11-41
# CHECK:   v7: i64 = convert v6                      8:11-41
# CHECK:   v8: u64 = const 18446744073709551615      9:4-39
# CHECK:   warpbarrier v8                            9:4-39
# CHECK:   v9: i64 = const 1                         10:4-10
# CHECK:   v10: ptr[i64] = element v0, v9            10:4-10
# CHECK:   store v10, v7                             10:4-10
# CHECK:   v11: u32 = laneindex                      11:13-33
# CHECK:   v12: u64 = convert v11                    11:13-33
# CHECK:   v13: u64 = const 1                        11:13-33
# CHECK:   v14: u64 = shl v13, v12                   11:13-33
# CHECK:   v15: u64 = sub v14, v13                   11:13-33
# CHECK:   v16: i64 = convert v15                    11:13-33
# CHECK:   v17: i64 = const 2                        11:4-10
# CHECK:   v18: ptr[i64] = element v0, v17           11:4-10
# CHECK:   store v18, v16                            11:4-10
# CHECK:   v19: i64 = const 1                        12:13-21
# CHECK:   v20: i64 = const 63                       12:13-21
# CHECK:   v21: i64 = shl v19, v20                   12:13-21
# CHECK:   v22: i64 = and v7, v21                    12:13-21
# CHECK:   v23: i64 = const 0                        12:13-21
# CHECK:   v24: bool = compare ne v22, v23           12:13-21
# CHECK:   v25: i64 = const 3                        12:4-10
# CHECK:   v26: i64 = convert v24                    12:4-10
# CHECK:   v27: ptr[i64] = element v0, v25           12:4-10
# CHECK:   store v27, v26                            12:4-10
# CHECK:   v28: none = none                          12:4-10
# CHECK:   return v28                                12:4-10
