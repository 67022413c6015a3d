# A loop that counts down to 0 gives no negative number, nor do loops that begin at its numbers.
# SHOW: optimized
# KERNEL: yes
# ONLY: element|wrapindex
# FOR: (array[float32, 2, contiguous, index32], array[float32, 1, contiguous, index32])
def f(u, x):
    n = u.shape[0]
    for i in range(n - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, n):
            total -= u[i, j] * x[j]
        x[i] = total / u[i, i]

# CHECK:   v26: ptr[f32] = element v1, v25           9:16-20
# CHECK:   v47: ptr[f32] = element v0, v42, v43      11:21-28
# CHECK:   v53: ptr[f32] = element v1, v49           11:31-35
# CHECK:   v59: ptr[f32] = element v0, v57, v58      12:23-30
# CHECK:   v63: ptr[f32] = element v1, v62           12:8-12
