# KERNEL: yes
# ROW: HET-ATM-8
# FOR: (int32[::1])
from hetjit import device


@device.struct
class Counter:
    hits: device.Atomic(int)


def f(x):
    counters = device.shared_array(4, Counter)
    pair = (counters[0], 1)  #! E0415 but is made an item of a tuple
    x[0] = pair[0].hits.load()

# CHECK: error[E0415]: Counter lives in memory only, but is made an item of a tuple
# CHECK:   --> tests/golden/diag/MemoryOnly.tuple.py:14:13
# CHECK:    |
# CHECK: 14 |     pair = (counters[0], 1)  #! E0415 but is made an item of a tuple
# CHECK:    |             ^^^^^^^^^^^
# CHECK:    = note: it holds an Atomic: only methods get the one that is meant, as 'self'
# CHECK:    = help: pass the array and the index
