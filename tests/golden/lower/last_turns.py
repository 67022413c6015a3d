# SHOW: llvm
# KERNEL: yes
# FOR: (float32[:, ::1], float32[:, ::1])
# ONLY: define internal|(last.turns|behind):
# Behind the whole turns: the loop with masks, which is jumped over where nobody has a turn left.
from hetjit import device
def rows(a, out):
    row = device.block_idx.x
    for k in range(device.thread_idx.x, a.shape[1], device.block_dim.x):
        out[row, k] = 2.0 * a[row, k]

# CHECK: define internal void @rows.lanes(ptr %0, i64 %1, i64 %2, ptr %3, i64 %4, i64 %5, <16 x i1> %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, i32 %18) #0 {
# CHECK: last.turns:                                       ; preds = %left
# CHECK: behind:                                           ; preds = %left11, %left
# CHECK: define internal void @rows.warp(ptr %0, i64 %1, i64 %2, ptr %3, i64 %4, i64 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17) #5 {
# CHECK: last.turns:                                       ; preds = %left
# CHECK: behind:                                           ; preds = %left11, %left
# CHECK: define internal void @rows.wide(ptr %0, i64 %1, i64 %2, ptr %3, i64 %4, i64 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17) #5 {
# CHECK: last.turns:                                       ; preds = %left
# CHECK: behind:                                           ; preds = %left11, %left
