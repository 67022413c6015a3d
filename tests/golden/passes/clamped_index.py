# SHOW: optimized
# KERNEL: yes
# FOR: (array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32])
from hetjit import device
def f(x, y):
    i = device.tid(1)
    if i < len(y):
        y[i] = x[max(min(i + 1, x.shape[0] - 1), 0)]
