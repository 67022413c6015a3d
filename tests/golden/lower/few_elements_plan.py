# SHOW: plan
# KERNEL: yes
# FOR: (uint8[:, ::1], array[uint8, 1, contiguous, index32])
# ONLY: ^plan
from hetjit import device
def grey(colour, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = (77 * int(colour[i, 0]) + 150 * int(colour[i, 1]) + 29 * int(colour[i, 2])) >> 8

# CHECK: plan where parameter 0 has 3 elements along axis 1
# CHECK: plan way: rows, because nothing in it waits for another thread
# CHECK: plan lanes: 16, because that suits the CPU
# CHECK: plan rows: through the grid, xyz, because no thread asks for its place in a block
# CHECK: plan side by side: 4 vectors, because a register holds more of the small elements
# CHECK: plan elsewhere
# CHECK: plan way: rows, because nothing in it waits for another thread
# CHECK: plan lanes: 16, because that suits the CPU
# CHECK: plan rows: through the grid, xyz, because no thread asks for its place in a block
# CHECK: plan side by side: 1 vector
