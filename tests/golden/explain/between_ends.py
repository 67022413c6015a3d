# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float32[::1], int)
from hetjit import device
def between_ends(x, out, radius):
    i = device.tid(1)
    n = x.shape[0]
    if i < n:
        left = i - 1
        if left < 0:
            left = n - 1
        total = x[left] + x[(i + 1) % n]
        for k in range(-radius, radius + 1):
            total += x[min(max(i + k, 0), n - 1)]
        out[i] = total

# CHECK: between_ends(x: float32[::1], out: float32[::1], radius: int) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   where no index of threads side by side is at an end, they read neighbours; else they begin again and ask at each access
# CHECK:   4 vectors side by side, where a row has as many: a loop's turns wait for those before
# CHECK:   --> tests/golden/explain/between_ends.py:8:8
# CHECK:    |
# CHECK: 8  |     if i < n:
# CHECK:    |        ----- branch: divergent
# CHECK: ...
# CHECK: 12 |         total = x[left] + x[(i + 1) % n]
# CHECK:    |                 ------- load: contiguous, float32, lane by lane where indices turn out to lie apart
# CHECK:    |                           -------------- load: contiguous, float32, lane by lane where indices turn out to lie apart
# CHECK: 13 |         for k in range(-radius, radius + 1):
# CHECK:    |         ------------------------------------... loop: uniform, neighbours while no lane is at an end
# CHECK: 14 |             total += x[min(max(i + k, 0), n - 1)]
# CHECK:    |                      ---------------------------- load: contiguous, float32, lane by lane where indices turn out to lie apart
# CHECK: 15 |         out[i] = total
# CHECK:    |         ------ store: contiguous, float32
