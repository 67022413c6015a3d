# SHOW: explain
# KERNEL: yes
# FOR: (float64[:, ::1], float32[:], float32[::1])
from hetjit import device
def strided(matrix, every_other, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = float(matrix[i, 0]) + every_other[i] + out[2 * i] + matrix[0, i]
