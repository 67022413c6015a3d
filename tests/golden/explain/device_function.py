# SHOW: explain
# KERNEL: yes
# FUNCTION: device_function
# FOR: (float32[::1], float32[::1])
from hetjit import device

def mean(x, i):
    return (x[i] + x[i + 1]) / 2

def device_function(x, out):
    i = device.tid(1)
    out[i] = mean(x, i) + mean(x, 0)
