# An array of which an element is accessed has elements, so its extent less one is an index. Of another array's extent nobody knows.
# SHOW: optimized
# TARGET: cuda:sm_90
# KERNEL: yes
# ONLY: element|wrapindex
# FOR: (array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32], int)
def f(x, y, steps):
    at = x.shape[0] // 2
    for step in range(steps):
        at = at - 1 if at > 0 else x.shape[0] - 1
        x[at] += 1.0
    x[y.shape[0] - 1] = 2.0

# CHECK:   v33: ptr[f32] = element v0, v62           11:8-13
# CHECK:   v48: i32 = wrapindex v60, v47             12:4-21
# CHECK:   v50: ptr[f32] = element v0, v48           12:4-21
