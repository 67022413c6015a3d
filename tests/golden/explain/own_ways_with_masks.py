# KERNEL: yes
# SHOW: explain
# TARGET: cpu:x86-64-v4
# FOR: (array[uint8, 2, contiguous, index32], array[int32, 1, contiguous, index32])
# With masks for memory accesses they are lanes.
from hetjit import device


def words(text, out):
    t = device.tid(1)
    if t < text.shape[0]:
        count = 0
        i = 0
        while i < text.shape[1]:
            if text[t, i] == 32:
                i += 1
                continue
            count += 1
            while i < text.shape[1] and text[t, i] != 32:
                i += 1
        out[t] = count

# CHECK: words(text: uint8[:, ::1], out: int32[::1]) on cpu:x86-64-v4
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   2 vectors side by side, where a row has as many: threads leave a loop at different times
# CHECK:   --> tests/golden/explain/own_ways_with_masks.py:11:8
# CHECK:    |
# CHECK: 11 |     if t < text.shape[0]:
# CHECK:    |        ----------------- branch: divergent
# CHECK: ...
# CHECK: 14 |         while i < text.shape[1]:
# CHECK:    |               ----------------- loop: divergent
# CHECK:    |                   ---------- loop: divergent
# CHECK: 15 |             if text[t, i] == 32:
# CHECK:    |                ---------- load: gather, uint8
# CHECK:    |                ---------------- branch: divergent, leaves the loop
# CHECK: ...
# CHECK: 19 |             while i < text.shape[1] and text[t, i] != 32:
# CHECK:    |                   ----------------- loop: divergent
# CHECK:    |                                         ---------- load: gather, uint8
# CHECK:    |                                         ---------------- branch: divergent
# CHECK:    |                                         ---------------- branch: divergent, leaves the loop
# CHECK: ...
# CHECK: 21 |         out[t] = count
# CHECK:    |         ------ store: contiguous, int32
# CHECK:    = help: text[t, i]: sort by the index, so that neighbours ask for neighbours, or bring the data into shared memory first
