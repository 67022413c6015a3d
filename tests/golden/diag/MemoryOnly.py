# KERNEL: yes
# ROW: HET-ATM-8
# FOR: (int32[::1])
from hetjit import device


@device.struct
class Counter:
    hits: device.Atomic(int)


def count(counter):
    counter.hits.add(1)


def f(x):
    counters = device.shared_array(4, Counter)
    count(counters[x[0]])  #! E0415 lives in memory only, but is passed to 'count'

# CHECK: error[E0415]: Counter lives in memory only, but is passed to 'count'
# CHECK:   --> tests/golden/diag/MemoryOnly.py:18:11
# CHECK:    |
# CHECK: 18 |     count(counters[x[0]])  #! E0415 lives in memory only, but is passed to 'count'
# CHECK:    |           ^^^^^^^^^^^^^^
# CHECK:    = note: it holds an Atomic: only methods get the one that is meant, as 'self'
# CHECK:    = help: pass the array and the index
