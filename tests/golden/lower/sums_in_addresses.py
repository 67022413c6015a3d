# LLVM is told which sums do not wrap: then constants in indices are offsets of addresses.
# SHOW: llvm
# TARGET: cuda:sm_90
# KERNEL: yes
# ONLY: = (add|sub) n|moved =
# FOR: (array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32], int)
from hetjit import device
def f(x, out, far):
    i = device.tid(1)
    if i >= 3 and i < x.shape[0] - 3:
        if far > 0:
            out[i] = x[i + 3]
        else:
            out[i] = x[i - 3] + x[i + far]

# CHECK:   %12 = sub nsw i32 %11, 3
# CHECK:   %15 = sub nuw nsw i32 %9, 3
# CHECK:   %moved = getelementptr i8, ptr %element3, i64 12
