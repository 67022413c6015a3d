# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], int32[::1], float32[::1])
from hetjit import device
def gather(x, index, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = x[index[i]]
        out[index[i]] = x[0]
