# SHOW: optimized
# KERNEL: yes
# ONLY: element|wrapindex
# FOR: (array[float32, 1, contiguous, index32], array[float32, 2, contiguous, index32], int)
from hetjit import device
def f(x, z, n):
    i = device.tid(1)
    x[i + 1] = 1.0  # a place is less than the greatest int
    if i - 1 >= 0:
        x[i - 1] = 2.0  # the same sum as in the condition
    k = i + 1
    if k < n - 1:
        z[k, k - 1] = z[k - 1, k] + z[k, k + 1] + z[k, 2]
    x[i - 2] = 3.0  # this one may be negative
    x[i + n] = 4.0

# CHECK:   v16: ptr[f32] = element v0, v11           8:4-12
# CHECK:   v27: ptr[f32] = element v0, v22           10:8-16
# CHECK:   v41: ptr[f32] = element v1, v34, v29      13:22-33
# CHECK:   v51: ptr[f32] = element v1, v29, v44      13:36-47
# CHECK:   v58: ptr[f32] = element v1, v29, v57      13:50-57
# CHECK:   v69: ptr[f32] = element v1, v29, v62      13:8-19
# CHECK:   v74: i32 = wrapindex v71, v73             14:4-12
# CHECK:   v76: ptr[f32] = element v0, v74           14:4-12
# CHECK:   v80: i32 = wrapindex v77, v79             15:4-12
# CHECK:   v82: ptr[f32] = element v0, v80           15:4-12
