# SHOW: typed
# FOR: (float32, int32)
from hetjit import device
def f(x, i):
    v = device.float32x3(x, 2, 0.5)
    w = v * 2 + v
    old = v
    v.x = 7
    v[-1] += 1
    n, r = -v, v.astype(device.int32).replace(0, 9)
    return old == v, w.y, v[i], len(v), v.size, n.x, n[1], r.x, r.z

# RUN: f(1.0, 2) == (False, 6.0, 1.5, 3, 3, -7.0, -2.0, 9, 1)
# RUN: f(1.0, -3) == (False, 6.0, 7.0, 3, 3, -7.0, -2.0, 9, 1)
