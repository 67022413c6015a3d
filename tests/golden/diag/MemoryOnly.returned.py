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

# CHECK: error[E0415]: Counter lives in memory only, but is returned
# CHECK:   --> tests/golden/diag/MemoryOnly.returned.py:12:16
# CHECK:    |
# CHECK: 12 |         return self  #! E0415 but is returned
# CHECK:    |                ^^^^
# CHECK:    |                ---- this is Counter, from the argument 'self'
# CHECK:   ::: tests/golden/diag/MemoryOnly.returned.py:16:12
# CHECK:    |
# CHECK: 16 |     x[0] = device.shared_array(4, Counter)[0].itself().hits.load()
# CHECK:    |            ------------------------------------------- called here with (Counter)
# CHECK:    = note: it holds an Atomic: only methods get the one that is meant, as 'self'
# CHECK:    = help: pass the array and the index
