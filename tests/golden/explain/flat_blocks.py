# SHOW: explain
# KERNEL: yes
# FOR: (float32[:, ::1], float32[:, ::1])
from hetjit import device


def f(x, out):
    rank = device.thread_idx.y * device.block_dim.x + device.thread_idx.x
    row = device.block_idx.x
    shared = device.shared_array(256, device.float32)
    shared[rank] = x[row, rank]
    device.syncthreads()
    out[row, rank] = shared[255 - rank]

# CHECK: f(x: float32[:, ::1], out: float32[:, ::1]) on cpu:x86-64-v3
# CHECK:   tier Whole: all threads of a block come to the same barriers
# CHECK:   2 phases, from wait to wait
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   blocks of any shape are one row to it: threads ask for nothing but their rank
# CHECK:   --> tests/golden/explain/flat_blocks.py:11:5
# CHECK:    |
# CHECK: 11 |     shared[rank] = x[row, rank]
# CHECK:    |     ------------ store: contiguous, float32 of shared memory
# CHECK:    |                    ------------ load: contiguous, float32
# CHECK: 12 |     device.syncthreads()
# CHECK:    |     -------------------- barrier: the block's threads go on from it together
# CHECK: 13 |     out[row, rank] = shared[255 - rank]
# CHECK:    |     -------------- store: contiguous, float32
# CHECK:    |                      ------------------ load: contiguous, float32 of shared memory, backwards
