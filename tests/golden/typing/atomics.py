# SHOW: typed
# KERNEL: yes
# ROW: HETX-AT-1
# ROW: HETX-AT-2
# ROW: HETX-AT-4
# FOR: (int32[::1], float64[:, :], complex64[::1], uint8[::1], bool_[::1])
from hetjit import device
def f(a, x, z, b, flags):
    i = device.tid(1)
    ref = device.AtomicRef(a, i)
    old = ref.load()
    ref.store(1, memory="release", scope="device")
    old += ref.exch(2) + ref.cas(2, 3, "acquire") + ref.add(1, scope="block")
    old += ref.sub(1) | ref.and_(7) | ref.or_(8) | ref.xor(1, "relaxed", "thread")
    old += ref.max(5) + ref.min(6) + device.atomic.nanmax(a, -1, 3)
    top = device.atomic.nanmin(x, (i, 0), 2.5, memory="acq_rel")
    z[i] = device.atomic.exch(z, 0, 1j)
    device.atomic.store(z, 1, device.atomic.load(z, 2, memory="consume"))
    device.atomic.add(b, i, 200)
    flags[0] = device.atomic.exch(flags, 1, True)
    device.threadfence()
    device.threadfence("acquire", scope="block")
    device.threadfence("relaxed")
    a[i] = old + int(top) if ref.dtype == device.int32 else 0
