# SHOW: explain
# KERNEL: yes
# FOR: (int32[::1], float32[::1])
from hetjit import device
def inexact(n, out):
    i = device.tid(1)
    out[i] = n[i] / 3 + device.float32(n[i]) + (n[i] & 255) / 7
