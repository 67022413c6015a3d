# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], int32[::1], float32[::1])
from hetjit import device
def gather(x, index, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = x[index[i]]
        out[index[i]] = x[0]

# CHECK: gather(x: float32[::1], index: int32[::1], out: float32[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/gather.py:7:8
# CHECK:    |
# CHECK: 7  |     if i < out.shape[0]:
# CHECK:    |        ---------------- branch: divergent
# CHECK: 8  |         out[i] = x[index[i]]
# CHECK:    |         ------ store: contiguous, float32
# CHECK:    |                  ----------- load: gather, float32
# CHECK:    |                    -------- load: contiguous, int32
# CHECK: 9  |         out[index[i]] = x[0]
# CHECK:    |         ------------- store: scatter, float32
# CHECK:    |             -------- load: contiguous, int32
# CHECK:    |                         ---- load: uniform, float32
# CHECK:    = help: x[index[i]]: sort by the index, so that neighbours ask for neighbours, or bring the data into shared memory first
# CHECK:    = help: out[index[i]]: sort by the index, so that neighbours ask for neighbours, or bring the data into shared memory first
