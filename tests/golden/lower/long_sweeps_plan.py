# SHOW: plan
# KERNEL: yes
# FOR: (array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32], int)
# ONLY: ^plan
from hetjit import device
def squares(x, out, n):
    total = 0.0
    k = device.tid(1)
    while k < n:
        total += x[k] * x[k]
        k += device.grid_size(1)
    out[device.tid(1)] = total

# CHECK: plan where what loops sweep is long, of parameters 0
# CHECK: plan way: phases, tier Whole, because as memory lies, a loop is gone through by all of a block's threads
# CHECK: plan lanes: 16, because that suits the CPU
# CHECK: plan order: warps turn by turn through loops
# CHECK: plan phase 0: from the kernel's start, 1 prefetch
# CHECK: plan phase 1: behind a wait for the block in line 11, 1 prefetch
# CHECK: plan slot 0: f32, varying
# CHECK: plan slot 1: i32, steps of 1
# CHECK: plan slot 2: i32, once for the block
# CHECK: plan elsewhere
# CHECK: plan way: rows, because nothing in it waits for another thread
# CHECK: plan lanes: 16, because that suits the CPU
# CHECK: plan rows: through the grid, xyz, because no thread asks for its place in a block
# CHECK: plan side by side: 2 vectors, because threads leave a loop at different times
