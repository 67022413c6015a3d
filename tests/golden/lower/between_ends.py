# Between the ends of rows nothing is masked, in loops that are written out and outside of them: a warp at an end begins again, in a form of its own. The turns of another
# loop are counted before it, so none asks for its bounds; what is left of it, with masks, is behind it.
# SHOW: llvm
# KERNEL: yes
# FOR: (float32[::1], int, float32[::1])
# ONLY: define internal|call void @.*one|call <.*masked|call i64 @llvm.smin
from hetjit import device
def sums(x, radius, out):
    i = device.tid(1)
    n = out.shape[0]
    if i < n:
        total = x[max(i - 1, 0)]
        for k in range(1, 3):
            if i + k < n:
                total += x[i + k]
        for k in range(-radius, radius + 1):
            if 0 <= i + k < n:
                total += x[i + k]
        out[i] = total

# CHECK: define internal void @sums.lanes(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, <16 x i1> %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16, i32 %17) #0 {
# CHECK:   %54 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %51, <16 x i1> %23, <16 x float> zeroinitializer)
# CHECK:   %56 = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %55, <16 x i1> splat (i1 true), <16 x float> poison)
# CHECK:   %84 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %82, <16 x i1> %70, <16 x float> zeroinitializer)
# CHECK:   %86 = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %85, <16 x i1> splat (i1 true), <16 x float> poison)
# CHECK:   %120 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %119, <16 x i1> %114, <16 x float> zeroinitializer)
# CHECK: define internal void @sums.warp(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16) #5 {
# CHECK:   call void @sums.one(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16)
# CHECK:   call void @sums.one(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16)
# CHECK:   call void @sums.one(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16)
# CHECK:   %93 = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %element26, <16 x i1> splat (i1 true), <16 x float> poison)
# CHECK:   %106 = call i64 @llvm.smin.i64(i64 %105, i64 2147483648)
# CHECK:   %162 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %161, <16 x i1> %156, <16 x float> zeroinitializer)
# CHECK: define internal void @sums.one(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16) #0 {
# CHECK:   %61 = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %element, <16 x i1> splat (i1 true), <16 x float> poison)
# CHECK:   %85 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %83, <16 x i1> %72, <16 x float> zeroinitializer)
# CHECK:   %87 = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %86, <16 x i1> splat (i1 true), <16 x float> poison)
# CHECK:   %102 = call i64 @llvm.smin.i64(i64 %101, i64 2147483648)
# CHECK:   %158 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %157, <16 x i1> %152, <16 x float> zeroinitializer)
# CHECK: define internal void @sums.wide(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16) #5 {
# CHECK:   call void @sums.one(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16)
# CHECK:   call void @sums.one(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %33, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16)
# CHECK:   call void @sums.one(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16)
# CHECK:   call void @sums.one(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %61, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16)
# CHECK:   call void @sums.one(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16)
# CHECK:   call void @sums.one(ptr %0, i64 %1, i32 %2, ptr %3, i64 %4, i32 %84, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13, i32 %14, i32 %15, i32 %16)
# CHECK:   %96 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> align 4 %element26, <32 x i1> splat (i1 true), <32 x float> poison)
# CHECK:   %109 = call i64 @llvm.smin.i64(i64 %108, i64 2147483648)
# CHECK:   %165 = call <32 x float> @llvm.masked.load.v32f32.p0(ptr align 4 %164, <32 x i1> %159, <32 x float> zeroinitializer)
