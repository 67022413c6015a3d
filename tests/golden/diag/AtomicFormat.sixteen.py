# KERNEL: yes
# ROW: HETX-AT-1
# FOR: (complex128[::1])
# TARGET: hip:gfx942
from hetjit import device


def f(z):
    z[1] = device.atomic.load(z, 0)  #! E0221 is for numbers of up to 8 bytes on AMD

# CHECK: error[E0221]: atomic 'load' is for numbers of up to 8 bytes on AMD, not complex128
# CHECK:   --> tests/golden/diag/AtomicFormat.sixteen.py:9:12
# CHECK:    |
# CHECK: 9  |     z[1] = device.atomic.load(z, 0)  #! E0221 is for numbers of up to 8 bytes on AMD
# CHECK:    |            ^^^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    = help: use two arrays of 8 bytes each, or a lock
