# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, ::1], float32[::1], float32[::1])
from hetjit import device
def uniform_loop(matrix, weights, out):
    j = device.tid(1)
    total = device.float32(0)
    for i in range(matrix.shape[0]):
        total += weights[i] * matrix[i, j]
    out[j] = total
