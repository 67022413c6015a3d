# KERNEL: yes
# ROW: HET-ATM-8
# FOR: (int32[::1])
from hetjit import device


def f(x):
    counters = device.shared_array(4, device.Atomic(int))
    counters[0] = x[0]  #! E0415 lives in memory only, but is assigned

# CHECK: error[E0415]: Atomic[int] lives in memory only, but is assigned
# CHECK:   --> tests/golden/diag/MemoryOnly.store.py:9:19
# CHECK:    |
# CHECK: 9  |     counters[0] = x[0]  #! E0415 lives in memory only, but is assigned
# CHECK:    |                   ^^^^
# CHECK:    = help: store a number in it: .store(value)
