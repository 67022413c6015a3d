# SHOW: typed
# KERNEL: yes
# ROW: HETX-MEM-1
# ROW: HETX-MEM-2
# FOR: (float32[::1])
from hetjit import device
N = 4
def made_twice(i):
    return device.shared_array(8, int)[i]
def f(out):
    i = device.tid(1)
    tile = device.shared_array((N, 2 * N), device.float32, align=128)
    turned = device.shared_array((2, 3), device.float32x3, order="F")
    one = device.shared_array((), device.int8)
    own = device.local_array(5, device.float64)
    rest = device.dynamic_shared_array()
    doubles = device.dynamic_shared_array(device.float64)
    tile[i, i] = 1
    turned[1, i] = device.float32x3(1, 2, 3)
    one[()] = 3
    own[i] = 0.5
    rest[i] = 7
    doubles[len(doubles) - 1] = own[0]
    out[i] = tile.shape[1] + tile[0, 1] + made_twice(i) + made_twice(i + 1)
