# SHOW: typed
# KERNEL: yes
# ROW: HETX-WS-2
# FOR: (complex64[::1], float64x2[::1], bfloat16[::1], int32[::1])
from hetjit import device
@device.struct
class Best:
    value: float
    place: int
def f(z, v, h, out):
    i = device.tid(1)
    z[i] = device.shfl_sync(device.FULL_MASK, z[i], 0)
    v[i] = device.shfl_up_sync(device.FULL_MASK, v[i], 1)
    best = device.shfl_down_sync(device.FULL_MASK, Best(0.5, i), i)
    h[i], b = device.shfl_xor_sync(device.FULL_MASK, (h[i], i > 3), 16)
    same = device.match_any_sync(device.FULL_MASK, (h[i], best.value, v[i].x, b))
    mask, all_same = device.match_all_sync(device.FULL_MASK, i)
    out[i] = best.place + same + mask if all_same else 0
