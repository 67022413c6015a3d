# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float32[::1], int32[::1])
from hetjit import device
def ranks(x, table, out):
    i = device.tid(1)
    if i < out.shape[0]:
        n = 0
        for k in range(table.shape[0]):
            if table[k] > x[i]:
                n += 1
        out[i] = n

# CHECK: ranks(x: float32[::1], table: float32[::1], out: int32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   2 vectors side by side, where a row has as many: a loop's turns wait for those before
# CHECK:   --> tests/golden/explain/chain.py:7:8
# CHECK:    |
# CHECK: 7  |     if i < out.shape[0]:
# CHECK:    |        ---------------- branch: divergent
# CHECK: ...
# CHECK: 9  |         for k in range(table.shape[0]):
# CHECK:    |         -------------------------------... loop: uniform
# CHECK: 10 |             if table[k] > x[i]:
# CHECK:    |                -------- load: uniform, float32
# CHECK:    |                --------------- branch: divergent
# CHECK:    |                           ---- load: contiguous, float32
# CHECK: ...
# CHECK: 12 |         out[i] = n
# CHECK:    |         ------ store: contiguous, int32
