# KERNEL: yes
# ROW: HETX-AT-2
# FOR: (float32[::1])
from hetjit import device


def f(x):
    device.AtomicRef(x, 0).and_(1)  #! E0221 is for integers, not float32
