# SHOW: typed
# KERNEL: yes
# ROW: HETX-BS-1
# FOR: (int32[::1])
from hetjit import device
def f(out):
    i = device.tid(1)
    device.syncthreads()
    count = device.syncthreads_count(out[i] > 0)
    every = device.syncthreads_and(lambda: out[i])
    some = device.syncthreads_or(True)
    device.syncgrid()
    out[i] = count if every and some else 0
