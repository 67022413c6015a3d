# SHOW: typed
# FOR: (float32[:, ::1], int)
# FOR: (array[float32, 2, contiguous, index32], int)
def pick(z, i):
    return z[i, -1] + z[0, 1]
