# SHOW: typed
# KERNEL: yes
# ROW: HETX-WS-1
# ROW: HETX-WS-2
# FOR: (int32[::1], uint32)
from hetjit import device
def f(out, some):
    i = device.tid(1)
    mask = device.activemask()
    mask[3] = out[i] > 0
    device.syncwarp()
    device.syncwarp(mask)
    a = device.all_sync(mask, out[i] == 1)
    b = device.any_sync(0xFFFFFFFF, lambda: out[i])
    c = device.eq_sync(some, out[i])
    d = device.ballot_sync(device.FULL_MASK, a or b)
    below = device.popc(d & device.lanemask_lt())
    out[i] = below + d[i] + c + device.WarpMask(5)[0]
