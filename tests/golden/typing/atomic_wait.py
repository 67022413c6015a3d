# SHOW: typed
# KERNEL: yes
# ROW: HETX-AT-3
# FOR: (float32[::1])
from hetjit import device
def f(x):
    ref = device.AtomicRef(x, 0)
    ref.wait(0.0, scope="device")
    ref.notify_one()
    ref.notify_all()
