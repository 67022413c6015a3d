# SHOW: typed
# KERNEL: yes
# ROW: HETX-WS-2
# FOR: (complex64[::1], float64x2[::1], bfloat16[::1], int32[::1])
from hetjit import device
@device.struct
class Best:
    value: float
    place: int
def f(z, v, h, out):
    i = device.tid(1)
    z[i] = device.shfl_sync(device.FULL_MASK, z[i], 0)
    v[i] = device.shfl_up_sync(device.FULL_MASK, v[i], 1)
    best = device.shfl_down_sync(device.FULL_MASK, Best(0.5, i), i)
    h[i], b = device.shfl_xor_sync(device.FULL_MASK, (h[i], i > 3), 16)
    same = device.match_any_sync(device.FULL_MASK, (h[i], best.value, v[i].x, b))
    mask, all_same = device.match_all_sync(device.FULL_MASK, i)
    out[i] = best.place + same + mask if all_same else 0

# CHECK: f(z: array[c64, 1, contiguous], v: array[f64x2, 1, contiguous], h: array[bf16, 1, contiguous], out: array[i32, 1, contiguous]) -> none
# CHECK: b0(v0: array[c64, 1, contiguous], v1: array[f64x2, 1, contiguous], v2: array[bf16, 1, contiguous], v3: array[i32, 1, contiguous]):
# CHECK:   v5: u32 = blockindex 0                    11:8-21
# CHECK:   v6: u32 = blockdim 0                      11:8-21
# CHECK:   v7: u32 = mul v5, v6                      11:8-21
# CHECK:   v8: u32 = threadindex 0                   11:8-21
# CHECK:   v9: u32 = add v7, v8                      11:8-21
# CHECK:   v10: i32 = convert v9                     11:8-21
# CHECK:   v11: i64 = convert v10                    12:46-50
# CHECK:   v12: ptr[c64] = element v0, v11           12:46-50
# CHECK:   v13: c64 = load v12                       12:46-50
# CHECK:   v14: u32 = const 4294967295               12:11-54
# CHECK:   v15: i32 = const 0                        12:11-54
# CHECK:   v16: f32 = real v13                       12:11-54
# CHECK:   v17: f32 = imag v13                       12:11-54
# CHECK:   v18: f32 = shuffle index v14, v16, v15    12:11-54
# CHECK:   v19: f32 = shuffle index v14, v17, v15    12:11-54
# CHECK:   v20: c64 = complex v18, v19               12:11-54
# CHECK:   v21: i64 = convert v10                    12:4-8
# CHECK:   v22: ptr[c64] = element v0, v21           12:4-8
# CHECK:   store v22, v20                            12:4-8
# CHECK:   v23: i64 = convert v10                    13:49-53
# CHECK:   v24: ptr[f64x2] = element v1, v23         13:49-53
# CHECK:   v25: f64x2 = load v24                     13:49-53
# CHECK:   v26: f64 = extract 0 v25                  13:49-53
# CHECK:   v27: f64 = extract 1 v25                  13:49-53
# CHECK:   v28: u32 = const 4294967295               13:11-57
# CHECK:   v29: i32 = const 1                        13:11-57
# CHECK:   v30: f64 = shuffle up v28, v26, v29       13:11-57
# CHECK:   v31: f64 = shuffle up v28, v27, v29       13:11-57
# CHECK:   v32: i64 = convert v10                    13:4-8
# CHECK:   v33: ptr[f64x2] = element v1, v32         13:4-8
# CHECK:   v34: f64x2 = tuple v30, v31               13:4-8
# CHECK:   store v33, v34                            13:4-8
# CHECK:   v35: f32 = constf 0.5                     14:51-63
# CHECK:   v36: u32 = const 4294967295               14:11-67
# CHECK:   v37: f32 = shuffle down v36, v35, v10     14:11-67
# CHECK:   v38: i32 = shuffle down v36, v10, v10     14:11-67
# CHECK:   v39: i64 = convert v10                    15:54-58
# CHECK:   v40: ptr[bf16] = element v2, v39          15:54-58
# CHECK:   v41: bf16 = load v40                      15:54-58
# CHECK:   v42: i32 = const 3                        15:60-65
# CHECK:   v43: bool = compare gt v10, v42           15:60-65
# CHECK:   v44: u32 = const 4294967295               15:14-71
# CHECK:   v45: i32 = const 16                       15:14-71
# CHECK:   v46: bf16 = shuffle xor v44, v41, v45     15:14-71
# CHECK:   v47: bool = shuffle xor v44, v43, v45     15:14-71
# CHECK:   v48: i64 = convert v10                    15:4-8
# CHECK:   v49: ptr[bf16] = element v2, v48          15:4-8
# CHECK:   store v49, v46                            15:4-8
# CHECK:   v50: i64 = convert v10                    16:52-56
# CHECK:   v51: ptr[bf16] = element v2, v50          16:52-56
# CHECK:   v52: bf16 = load v51                      16:52-56
# CHECK:   v53: i64 = convert v10                    16:70-74
# CHECK:   v54: ptr[f64x2] = element v1, v53         16:70-74
# CHECK:   v55: f64x2 = load v54                     16:70-74
# CHECK:   v56: f64 = extract 0 v55                  16:70-74
# CHECK:   v57: f64 = extract 1 v55                  16:70-74
# CHECK:   v58: u32 = const 4294967295               16:11-81
# CHECK:   v59: u16 = reinterpret v52                16:11-81
# CHECK:   v60: u32 = convert v59                    16:11-81
# CHECK:   v61: u32 = match any v58, v60             16:11-81
# CHECK:   v62: u32 = reinterpret v37                16:11-81
# CHECK:   v63: u32 = match any v58, v62             16:11-81
# CHECK:   v64: u32 = and v61, v63                   16:11-81
# CHECK:   v65: u64 = reinterpret v56                16:11-81
# CHECK:   v66: u32 = match any v58, v65             16:11-81
# CHECK:   v67: u32 = and v64, v66                   16:11-81
# CHECK:   v68: u32 = convert v47                    16:11-81
# CHECK:   v69: u32 = match any v58, v68             16:11-81
# CHECK:   v70: u32 = and v67, v69                   16:11-81
# CHECK:   v71: i32 = convert v70                    16:11-81
# CHECK:   v72: u32 = const 4294967295               17:21-63
# CHECK:   v73: u32 = convert v10                    17:21-63
# CHECK:   v74: u32 = match all v72, v73             17:21-63
# CHECK:   v75: u32 = const 0                        17:21-63
# CHECK:   v76: bool = compare ne v74, v75           17:21-63
# CHECK:   v77: i32 = convert v74                    17:21-63
# CHECK:   branch v76, b1, b2                        18:13-56
# CHECK: b1():
# CHECK:   v78: i32 = add v38, v71                   18:13-30
# CHECK:   v79: i32 = add v78, v77                   18:13-37
# CHECK:   jump b3(v79)                              18:13-37
# CHECK: b2():
# CHECK:   v80: i32 = const 0                        18:55-56
# CHECK:   jump b3(v80)                              18:55-56
# CHECK: b3(v4: i32):
# CHECK:   v81: i64 = convert v10                    18:4-10
# CHECK:   v82: ptr[i32] = element v3, v81           18:4-10
# CHECK:   store v82, v4                             18:4-10
# CHECK:   v83: none = none                          18:4-10
# CHECK:   return v83                                18:4-10
