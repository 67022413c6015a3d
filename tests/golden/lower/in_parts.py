# SHOW: llvm
# KERNEL: yes
# FOR: (float32[:, ::1], float32[:, ::1])
# ONLY: define internal|call .*(part|lanes)\(|call .*masked
# A vector that lies in two rows comes in parts, each with a mask; one of short rows goes lane by lane.
from hetjit import device
def doubled(a, out):
    i = device.tid(1)
    w = out.shape[1]
    if i < out.size:
        out[i // w, i % w] = 2 * a[i // w, i % w]

# CHECK: define internal void @doubled.lanes(ptr %0, i64 %1, i64 %2, ptr %3, i64 %4, i64 %5, <16 x i1> %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, i32 %18) #0 {
# CHECK:   %68 = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %67, <16 x i1> splat (i1 true), <16 x float> poison)
# CHECK:   call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %69, <16 x ptr> align 4 %73, <16 x i1> splat (i1 true))
# CHECK: define internal void @doubled.warp(ptr %0, i64 %1, i64 %2, ptr %3, i64 %4, i64 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17) #4 {
# CHECK:   call void @doubled.lanes(ptr %0, i64 %1, i64 %2, ptr %3, i64 %4, i64 %5, <16 x i1> splat (i1 true), i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17)
# CHECK:   call void @doubled.lanes(ptr %0, i64 %1, i64 %2, ptr %3, i64 %4, i64 %5, <16 x i1> splat (i1 true), i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17)
# CHECK: define internal void @doubled.parts(ptr %0, i64 %1, i64 %2, ptr %3, i64 %4, i64 %5, <16 x i1> %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, i32 %18) #0 {
# CHECK:   %29 = call i32 @doubled.part(ptr %0, i64 %1, i64 %2, ptr %3, i64 %4, i64 %5, <16 x i1> %27, i32 %28, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, i32 %18)
# CHECK: define internal i32 @doubled.part(ptr %0, i64 %1, i64 %2, ptr %3, i64 %4, i64 %5, <16 x i1> %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, i32 %18) #4 {
# CHECK:   call void @doubled.lanes(ptr %0, i64 %1, i64 %2, ptr %3, i64 %4, i64 %5, <16 x i1> %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, i32 %18)
# CHECK:   call void @doubled.lanes(ptr %0, i64 %1, i64 %2, ptr %3, i64 %4, i64 %5, <16 x i1> %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17, i32 %18)
# CHECK:   %85 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %84, <16 x i1> %76, <16 x float> zeroinitializer)
# CHECK:   call void @llvm.masked.store.v16f32.p0(<16 x float> %86, ptr align 4 %91, <16 x i1> %76)
