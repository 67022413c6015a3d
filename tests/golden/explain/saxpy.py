# SHOW: explain
# KERNEL: yes
# FOR: (float, array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32])
from hetjit import device
def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]
