# KERNEL: yes
# SHOW: explain
# TARGET: cpu:x86-64-v3
# FOR: (uint8[::1], int32[::1], int32[::1])
from hetjit import device


def count(x, bins, largest):
    i = device.tid(1)
    if i < len(x):
        v = int(x[i])
        device.atomic.add(bins, v, 1)
        device.atomic.max(largest, v & 3, i)

# CHECK: count(x: uint8[::1], bins: int32[::1], largest: int32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   where they are small, copies of bins, largest for each range of blocks, put together at its end: no atomic instructions
# CHECK:   --> tests/golden/explain/histogram.py:10:8
# CHECK:    |
# CHECK: 10 |     if i < len(x):
# CHECK:    |        ---------- branch: divergent
# CHECK: 11 |         v = int(x[i])
# CHECK:    |                 ---- load: contiguous, uint8
# CHECK: 12 |         device.atomic.add(bins, v, 1)
# CHECK:    |         ----------------------------- atomic update: scatter, int32
# CHECK: 13 |         device.atomic.max(largest, v & 3, i)
# CHECK:    |         ------------------------------------ atomic update: scatter, int32
