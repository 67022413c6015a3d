# SHOW: explain
# KERNEL: yes
# FOR: (array[f64, 1, contiguous, index32], array[f64, 1, contiguous, index32])
from hetjit import device
def turns_by_while(x, out):
    i = device.tid(1)
    total = device.float64(0)
    k = i
    while k < x.shape[0]:
        total += x[k]
        k += device.grid_size(1)
    out[i] = total

# CHECK: turns_by_while(x: float64[::1], out: float64[::1]) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   2 vectors side by side, where a row has as many: threads leave a loop at different times
# CHECK:   with more elements of x than caches hold, the warps of a block go through a loop over memory turn by turn
# CHECK:   --> tests/golden/explain/turns_by_while.py:9:11
# CHECK:    |
# CHECK: 9  |     while k < x.shape[0]:
# CHECK:    |           -------------- loop: divergent, full warps until their last turns
# CHECK: 10 |         total += x[k]
# CHECK:    |                  ---- load: contiguous, float64, lane by lane where an index turns out negative
# CHECK: ...
# CHECK: 12 |     out[i] = total
# CHECK:    |     ------ store: contiguous, float64
