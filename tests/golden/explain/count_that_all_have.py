# KERNEL: yes
# SHOW: explain
# TARGET: cpu:x86-64-v3
# FOR: (array[int32, 1, contiguous, index32], array[int32, 1, contiguous, index32])
# What changes on a way that all lanes go together is the same for them, though another way parts them.
from hetjit import device


def sums(a, out):
    t = device.tid(1)
    if t < out.shape[0]:
        n = 0
        s = 0
        for k in range(16):
            v = a[t + k]
            if n < 8:
                n += 1
                s += v
            elif v > 3:
                s -= v * n
        out[t] = s

# CHECK: sums(a: int32[::1], out: int32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   2 vectors side by side, where a row has as many: a loop's turns wait for those before
# CHECK:   --> tests/golden/explain/count_that_all_have.py:11:8
# CHECK:    |
# CHECK: 11 |     if t < out.shape[0]:
# CHECK:    |        ---------------- branch: divergent
# CHECK: ...
# CHECK: 14 |         for k in range(16):
# CHECK:    |         -------------------... loop: uniform
# CHECK: 15 |             v = a[t + k]
# CHECK:    |                 -------- load: contiguous, int32
# CHECK: 16 |             if n < 8:
# CHECK:    |                ----- branch: uniform
# CHECK: ...
# CHECK: 19 |             elif v > 3:
# CHECK:    |                  ----- branch: divergent
# CHECK: ...
# CHECK: 21 |         out[t] = s
# CHECK:    |         ------ store: contiguous, int32
