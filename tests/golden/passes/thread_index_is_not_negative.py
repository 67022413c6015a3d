# SHOW: optimized
# KERNEL: yes
# FOR: (array[float32, 1, contiguous, index32])
from hetjit import device
def f(x):
    i = device.tid(1)
    if i < len(x):
        x[i] = x[i] * 2
