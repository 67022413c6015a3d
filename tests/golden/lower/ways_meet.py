# What stays as it was by three edges of four is chosen once: for lanes that came by the fourth.
# SHOW: llvm
# KERNEL: yes
# FOR: (float32[::1], int, float32[::1])
# ONLY: define|select <16 x i1> .* float
from hetjit import device
def sums(x, n, out):
    i = device.tid(1)
    if i < out.shape[0]:
        total = 0.0
        for k in range(n):
            v = x[i + k]
            if v < 0 or v == 3:
                continue
            if v > 8:
                continue
            total += v
        out[i] = total

# CHECK: define internal void @sums.lanes(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, <16 x i1> %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17) #0 {
# CHECK:   %78 = select <16 x i1> %76, <16 x float> %77, <16 x float> %30
# CHECK: define internal void @sums.warp(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16) #5 {
# CHECK:   %79 = select <16 x i1> %77, <16 x float> %78, <16 x float> %36
# CHECK:   %126 = select <16 x i1> %124, <16 x float> %125, <16 x float> %81
# CHECK: define internal void @sums.wide(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16) #5 {
# CHECK: define void @sums(ptr %0, ptr %1, i64 %2, i64 %3) #7 {
