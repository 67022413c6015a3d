# SHOW: typed
# TARGET: hip:gfx90a
# KERNEL: yes
# ROW: HETX-WS-1
# FOR: (int64[::1])
from hetjit import device
def f(out):
    mask = device.ballot_sync(-1, out[0])
    device.syncwarp(0xFFFFFFFFFFFFFFFF)
    out[1] = mask
    out[2] = device.lanemask_lt()
    out[3] = mask[63]
