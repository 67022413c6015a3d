# An array with index32 has fewer than 2^30 elements: 2 * i + 1 is an int where i is an index, and not negative.
# SHOW: optimized
# KERNEL: yes
# ONLY: element|wrapindex|mul|add
# FOR: (array[uint8, 1, contiguous, index32], array[uint8, 1, contiguous, index32])
# FOR: (array[uint8, 1, contiguous], array[uint8, 1, contiguous])
from hetjit import device
def f(x, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = x[2 * i + 1]

# CHECK:   v4: u32 = mul v2, v3                      9:8-21
# CHECK:   v6: u32 = add v4, v5                      9:8-21
# CHECK:   v12: i32 = mul v7, v11                    11:19-24
# CHECK:   v14: i32 = add v12, v13                   11:19-28
# CHECK:   v18: ptr[u8] = element v0, v14            11:17-29
# CHECK:   v20: ptr[u8] = element v1, v7             11:8-14
# CHECK:   v4: u32 = mul v2, v3                      9:8-21
# CHECK:   v6: u32 = add v4, v5                      9:8-21
# CHECK:   v12: i32 = mul v7, v11                    11:19-24
# CHECK:   v14: i32 = add v12, v13                   11:19-28
# CHECK:   v17: i64 = wrapindex v15, v16             11:17-29
# CHECK:   v18: ptr[u8] = element v0, v17            11:17-29
# CHECK:   v21: ptr[u8] = element v1, v20            11:8-14
