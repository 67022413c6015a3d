# KERNEL: yes
# ROW: HET-ATM-8
# FOR: (int32[::1])
from hetjit import device


@device.struct
class Counter:
    hits: device.Atomic(int)

    def itself(self):
        return self  #! E0415 but is returned


def f(x):
    x[0] = device.shared_array(4, Counter)[0].itself().hits.load()
