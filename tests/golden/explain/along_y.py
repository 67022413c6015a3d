# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, ::1], float32[:, ::1])
from hetjit import device


def f(x, out):
    lane, row = device.thread_idx.y, device.block_idx.x
    shared = device.shared_array(256, device.float32)
    shared[lane] = x[row, lane]
    device.syncthreads()
    out[row, lane] = shared[255 - lane]

# CHECK: f(x: float32[:, ::1], out: float32[:, ::1]) on cpu:x86-64-v3
# CHECK:   tier Whole: all threads of a block come to the same barriers
# CHECK:   2 phases, from wait to wait
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along y of each block: no thread asks for its x
# CHECK:   --> tests/golden/explain/along_y.py:10:5
# CHECK:    |
# CHECK: 10 |     shared[lane] = x[row, lane]
# CHECK:    |     ------------ store: contiguous, float32 of shared memory
# CHECK:    |                    ------------ load: contiguous, float32
# CHECK: 11 |     device.syncthreads()
# CHECK:    |     -------------------- barrier: the block's threads go on from it together
# CHECK: 12 |     out[row, lane] = shared[255 - lane]
# CHECK:    |     -------------- store: contiguous, float32
# CHECK:    |                      ------------------ load: contiguous, float32 of shared memory, backwards
