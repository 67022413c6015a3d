# SHOW: explain
# KERNEL: yes
# FOR: (float32x3[::1], float32x2[::1])
from hetjit import device
def structs(points, out):
    i = device.tid(1)
    out[i] = device.float32x2(points[i].x, points[0].y)
