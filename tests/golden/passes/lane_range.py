# SHOW: optimized
# KERNEL: yes
# FOR: (int32[::1])
from hetjit import device
def f(out):
    tile = device.shared_array(64, int)
    tile[device.lane_id] = device.warp_size
    out[0] = device.lane_id // 2 if device.lane_id < 64 else 7

# CHECK: f(out: array[i32, 1, contiguous]) -> none
# CHECK: b0(v0: array[i32, 1, contiguous]):
# CHECK:   v2: ptr[i32] = sharedmemory 0 256 4       6:11-39
# CHECK:   v3: i64 = const 64                        6:11-39
# CHECK:   v4: array[i32, 1, contiguous, index32] = makearray v2, v3  6:11-39
# CHECK:   v5: u32 = laneindex                       7:9-23
# CHECK:   v6: i32 = convert v5                      7:9-23
# CHECK:   v7: i32 = const 32                        7:4-24
# CHECK:   v8: ptr[i32] = element v4, v6             7:4-24
# CHECK:   store v8, v7                              7:4-24
# CHECK:   v13: u32 = laneindex                      8:13-27
# CHECK:   v14: i32 = convert v13                    8:13-27
# CHECK:   v22: i32 = const 1                        8:13-32
# CHECK:   v23: i32 = shr v14, v22                   8:13-32
# CHECK:   v18: i64 = const 0                        8:4-10
# CHECK:   v19: ptr[i32] = element v0, v18           8:4-10
# CHECK:   store v19, v23                            8:4-10
# CHECK:   v20: none = none                          8:4-10
# CHECK:   return v20                                8:4-10
