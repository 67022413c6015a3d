# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float)
from hetjit import device
def divergent_loop(x, limit):
    i = device.tid(1)
    v = x[i]
    while v < limit:
        v = v * 2 + 1
    for k in range(10):
        if v > k:
            break
        v += 1
    while True:
        v *= 3
        if v > 1000:
            break
    x[i] = v
