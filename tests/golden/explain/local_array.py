# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float32[::1])
from hetjit import device
def local_array(x, out):
    i = device.tid(1)
    own = device.local_array(8, device.float32)
    for k in range(8):
        own[k] = x[i]
    out[i] = own[i % 8] + own[7]

# CHECK: local_array(x: float32[::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/local_array.py:8:5
# CHECK:    |
# CHECK: 8  |     for k in range(8):
# CHECK:    |     ------------------... loop: uniform
# CHECK: 9  |         own[k] = x[i]
# CHECK:    |         ------ store: contiguous, float32 of the thread's own memory
# CHECK:    |                  ---- load: contiguous, float32
# CHECK: 10 |     out[i] = own[i % 8] + own[7]
# CHECK:    |     ------ store: contiguous, float32
# CHECK:    |              ---------- load: gather, float32 of the thread's own memory
# CHECK:    |                           ------ load: contiguous, float32 of the thread's own memory
