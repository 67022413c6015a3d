# SHOW: ptx
# KERNEL: yes
# FOR: (array[float32, 1, contiguous, index32], array[int32, 1, contiguous, index32])
from hetjit import device
def f(x, y):
    i = device.tid(1)
    if i < len(y):
        y[i] = int(x[i])
