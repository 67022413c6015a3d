# SHOW: typed
# KERNEL: yes
# ROW: HETX-AT-1
# ROW: HETX-AT-2
# ROW: HETX-AT-4
# FOR: (int32[::1], float64[:, :], complex64[::1], uint8[::1], bool_[::1])
from hetjit import device
def f(a, x, z, b, flags):
    i = device.tid(1)
    ref = device.AtomicRef(a, i)
    old = ref.load()
    ref.store(1, memory="release", scope="device")
    old += ref.exch(2) + ref.cas(2, 3, "acquire") + ref.add(1, scope="block")
    old += ref.sub(1) | ref.and_(7) | ref.or_(8) | ref.xor(1, "relaxed", "thread")
    old += ref.max(5) + ref.min(6) + device.atomic.nanmax(a, -1, 3)
    top = device.atomic.nanmin(x, (i, 0), 2.5, memory="acq_rel")
    z[i] = device.atomic.exch(z, 0, 1j)
    device.atomic.store(z, 1, device.atomic.load(z, 2, memory="consume"))
    device.atomic.add(b, i, 200)
    flags[0] = device.atomic.exch(flags, 1, True)
    device.threadfence()
    device.threadfence("acquire", scope="block")
    device.threadfence("relaxed")
    a[i] = old + int(top) if ref.dtype == device.int32 else 0

# CHECK: f(a: array[i32, 1, contiguous], x: array[f64, 2], z: array[c64, 1, contiguous], b: array[u8, 1, contiguous], flags: array[bool, 1, contiguous]) -> none
# CHECK: b0(v0: array[i32, 1, contiguous], v1: array[f64, 2], v2: array[c64, 1, contiguous], v3: array[u8, 1, contiguous], v4: array[bool, 1, contiguous]):
# CHECK:   v6: u32 = blockindex 0                    9:8-21
# CHECK:   v7: u32 = blockdim 0                      9:8-21
# CHECK:   v8: u32 = mul v6, v7                      9:8-21
# CHECK:   v9: u32 = threadindex 0                   9:8-21
# CHECK:   v10: u32 = add v8, v9                     9:8-21
# CHECK:   v11: i32 = convert v10                    9:8-21
# CHECK:   v12: i64 = convert v11                    10:10-32
# CHECK:   v13: ptr[i32] = element v0, v12           10:10-32
# CHECK:   v14: i32 = atomicload seq_cst system v13  11:10-20
# CHECK:   v15: i32 = const 1                        12:4-50
# CHECK:   atomicstore release device v13, v15       12:4-50
# CHECK:   v16: i32 = const 2                        13:11-22
# CHECK:   v17: i32 = atomicupdate exch seq_cst system v13, v16  13:11-22
# CHECK:   v18: i32 = const 2                        13:25-49
# CHECK:   v19: i32 = const 3                        13:25-49
# CHECK:   v20: i32 = atomiccas acquire system v13, v18, v19  13:25-49
# CHECK:   v21: i32 = add v17, v20                   13:11-49
# CHECK:   v22: i32 = const 1                        13:52-77
# CHECK:   v23: i32 = atomicupdate add seq_cst block v13, v22  13:52-77
# CHECK:   v24: i32 = add v21, v23                   13:11-77
# CHECK:   v25: i32 = add v14, v24                   13:4-77
# CHECK:   v26: i32 = const 1                        14:11-21
# CHECK:   v27: i32 = atomicupdate sub seq_cst system v13, v26  14:11-21
# CHECK:   v28: i32 = const 7                        14:24-35
# CHECK:   v29: i32 = atomicupdate and seq_cst system v13, v28  14:24-35
# CHECK:   v30: i32 = or v27, v29                    14:11-35
# CHECK:   v31: i32 = const 8                        14:38-48
# CHECK:   v32: i32 = atomicupdate or seq_cst system v13, v31  14:38-48
# CHECK:   v33: i32 = or v30, v32                    14:11-48
# CHECK:   v34: i32 = const 1                        14:51-82
# CHECK:   v35: i32 = atomicupdate xor relaxed thread v13, v34  14:51-82
# CHECK:   v36: i32 = or v33, v35                    14:11-82
# CHECK:   v37: i32 = add v25, v36                   14:4-82
# CHECK:   v38: i32 = const 5                        15:11-21
# CHECK:   v39: i32 = atomicupdate max seq_cst system v13, v38  15:11-21
# CHECK:   v40: i32 = const 6                        15:24-34
# CHECK:   v41: i32 = atomicupdate min seq_cst system v13, v40  15:24-34
# CHECK:   v42: i32 = add v39, v41                   15:11-34
# CHECK:   v43: i64 = const -1                       15:37-67
# CHECK:   v44: i64 = extent 0 v0                    15:37-67
# CHECK:   v45: i64 = wrapindex v43, v44             15:37-67
# CHECK:   v46: ptr[i32] = element v0, v45           15:37-67
# CHECK:   v47: i32 = const 3                        15:37-67
# CHECK:   v48: i32 = atomicupdate nanmax relaxed device v46, v47  15:37-67
# CHECK:   v49: i32 = add v42, v48                   15:11-67
# CHECK:   v50: i32 = add v37, v49                   15:4-67
# CHECK:   v51: i64 = convert v11                    16:10-64
# CHECK:   v52: i64 = const 0                        16:10-64
# CHECK:   v53: ptr[f64] = element v1, v51, v52      16:10-64
# CHECK:   v54: f64 = constf 2.5                     16:10-64
# CHECK:   v55: f64 = atomicupdate nanmin acq_rel device v53, v54  16:10-64
# CHECK:   v56: i64 = const 0                        17:11-39
# CHECK:   v57: ptr[c64] = element v2, v56           17:11-39
# CHECK:   v58: f32 = constf 0.0                     17:11-39
# CHECK:   v59: f32 = constf 1.0                     17:11-39
# CHECK:   v60: c64 = complex v58, v59               17:11-39
# CHECK:   v61: u64 = const 32                       17:11-39
# CHECK:   v62: f32 = imag v60                       17:11-39
# CHECK:   v63: u32 = reinterpret v62                17:11-39
# CHECK:   v64: u64 = convert v63                    17:11-39
# CHECK:   v65: u64 = shl v64, v61                   17:11-39
# CHECK:   v66: f32 = real v60                       17:11-39
# CHECK:   v67: u32 = reinterpret v66                17:11-39
# CHECK:   v68: u64 = convert v67                    17:11-39
# CHECK:   v69: u64 = or v65, v68                    17:11-39
# CHECK:   v70: i64 = const 0                        17:11-39
# CHECK:   v71: ptr[u64] = moveaddress v57, v70      17:11-39
# CHECK:   v72: u64 = atomicupdate exch relaxed device v71, v69  17:11-39
# CHECK:   v73: u64 = const 32                       17:11-39
# CHECK:   v74: u64 = shr v72, v73                   17:11-39
# CHECK:   v75: u32 = convert v74                    17:11-39
# CHECK:   v76: f32 = reinterpret v75                17:11-39
# CHECK:   v77: u32 = convert v72                    17:11-39
# CHECK:   v78: f32 = reinterpret v77                17:11-39
# CHECK:   v79: c64 = complex v78, v76               17:11-39
# CHECK:   v80: i64 = convert v11                    17:4-8
# CHECK:   v81: ptr[c64] = element v2, v80           17:4-8
# CHECK:   store v81, v79                            17:4-8
# CHECK:   v82: i64 = const 2                        18:30-72
# CHECK:   v83: ptr[c64] = element v2, v82           18:30-72
# CHECK:   v84: c64 = atomicload consume device v83  18:30-72
# CHECK:   v85: i64 = const 1                        18:4-73
# CHECK:   v86: ptr[c64] = element v2, v85           18:4-73
# CHECK:   atomicstore relaxed device v86, v84       18:4-73
# CHECK:   v87: i64 = convert v11                    19:4-32
# CHECK:   v88: ptr[u8] = element v3, v87            19:4-32
# CHECK:   v89: u8 = const 200                       19:4-32
# CHECK:   v90: u8 = atomicupdate add relaxed device v88, v89  19:4-32
# CHECK:   v91: i64 = const 1                        20:15-49
# CHECK:   v92: ptr[bool] = element v4, v91          20:15-49
# CHECK:   v93: bool = const true                    20:15-49
# CHECK:   v94: bool = atomicupdate exch relaxed device v92, v93  20:15-49
# CHECK:   v95: i64 = const 0                        20:4-12
# CHECK:   v96: ptr[bool] = element v4, v95          20:4-12
# CHECK:   store v96, v94                            20:4-12
# CHECK:   fence seq_cst system                      21:4-24
# CHECK:   fence acquire block                       22:4-48
# CHECK:   jump b1                                   24:29-54
# CHECK: b1():
# CHECK:   v97: i32 = convert v55                    24:17-25
# CHECK:   v98: i32 = add v50, v97                   24:11-25
# CHECK:   jump b2(v98)                              24:11-25
# CHECK: b2(v5: i32):
# CHECK:   v99: i64 = convert v11                    24:4-8
# CHECK:   v100: ptr[i32] = element v0, v99          24:4-8
# CHECK:   store v100, v5                            24:4-8
# CHECK:   v101: none = none                         24:4-8
# CHECK:   return v101                               24:4-8
