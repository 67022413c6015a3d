# KERNEL: yes
# SHOW: explain
# TARGET: cpu:x86-64-v3
# FOR: (float32[::1], float32[::1])
from hetjit import device


def own_sums(x, out):
    for i in range(device.tid(1), len(x), device.grid_size(1)):
        out[device.tid(1)] += x[i]  # a thread's own element: its turns stay its turns

# CHECK: own_sums(x: float32[::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   2 vectors side by side, where a row has as many: threads leave a loop at different times
# CHECK:   and where out shares no memory with another array: a thread's reads need not wait for its writes
# CHECK:   --> tests/golden/explain/turns_of_their_threads.py:9:5
# CHECK:    |
# CHECK: 9  |     for i in range(device.tid(1), len(x), device.grid_size(1)):
# CHECK:    |     -----------------------------------------------------------... loop: divergent, full warps until their last turns
# CHECK: 10 |         out[device.tid(1)] += x[i]  # a thread's own element: its turns stay its turns
# CHECK:    |         ------------------ branch: divergent
# CHECK:    |         ------------------ load: contiguous, float32
# CHECK:    |         ------------------ store: contiguous, float32
# CHECK:    |                               ---- load: contiguous, float32
