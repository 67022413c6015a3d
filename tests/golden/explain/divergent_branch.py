# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], int)
from hetjit import device
def divergent_branch(x, mode):
    i = device.tid(1)
    if mode > 0:
        if x[i] > 0:
            x[i] = 1
        else:
            x[i] = 2
