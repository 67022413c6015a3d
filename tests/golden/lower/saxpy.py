# SHOW: llvm
# KERNEL: yes
# TARGET: cuda:sm_90
# FOR: (float, array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32])
from hetjit import device
def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]

# CHECK: ; ModuleID = 'hetjit'
# CHECK: source_filename = "hetjit"
# CHECK: target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
# CHECK: target triple = "nvptx64-nvidia-cuda"
# CHECK:
# CHECK: ; Function Attrs: alwaysinline nounwind
# CHECK: define internal void @saxpy.body(float %0, ptr %1, i64 %2, ptr %3, i64 %4) #0 {
# CHECK: b0:
# CHECK:   %5 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
# CHECK:   %6 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
# CHECK:   %7 = mul i32 %5, %6
# CHECK:   %8 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
# CHECK:   %9 = add i32 %7, %8
# CHECK:   %10 = trunc i64 %2 to i32
# CHECK:   %11 = icmp ult i32 %9, %10
# CHECK:   br i1 %11, label %b1, label %b2
# CHECK:
# CHECK: b2:                                               ; preds = %b0
# CHECK:   ret void
# CHECK:
# CHECK: b1:                                               ; preds = %b0
# CHECK:   %12 = zext nneg i32 %9 to i64
# CHECK:   %13 = mul nuw nsw i64 %12, 4
# CHECK:   %element = getelementptr inbounds i8, ptr %1, i64 %13
# CHECK:   %14 = load float, ptr %element, align 4
# CHECK:   %15 = zext nneg i32 %9 to i64
# CHECK:   %16 = mul nuw nsw i64 %15, 4
# CHECK:   %element1 = getelementptr inbounds i8, ptr %3, i64 %16
# CHECK:   %17 = load float, ptr %element1, align 4
# CHECK:   %18 = call float @llvm.fma.f32(float %0, float %14, float %17)
# CHECK:   store float %18, ptr %element1, align 4
# CHECK:   ret void
# CHECK: }
# CHECK:
# CHECK: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
# CHECK: declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
# CHECK:
# CHECK: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
# CHECK: declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
# CHECK:
# CHECK: ; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
# CHECK: declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
# CHECK:
# CHECK: ; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
# CHECK: declare float @llvm.fma.f32(float, float, float) #2
# CHECK:
# CHECK: ; Function Attrs: nounwind
# CHECK: define ptx_kernel void @saxpy(float %0, ptr byval([24 x i8]) align 8 "nvvm.grid_constant" %1, ptr byval([24 x i8]) align 8 "nvvm.grid_constant" %2) #3 {
# CHECK: entry:
# CHECK:   %3 = load ptr, ptr %1, align 8, !invariant.load !1
# CHECK:   %4 = getelementptr inbounds i8, ptr %1, i64 8
# CHECK:   %5 = load i32, ptr %4, align 8, !range !2, !invariant.load !1
# CHECK:   %6 = zext nneg i32 %5 to i64
# CHECK:   %7 = addrspacecast ptr %3 to ptr addrspace(1)
# CHECK:   %8 = addrspacecast ptr addrspace(1) %7 to ptr
# CHECK:   %9 = load ptr, ptr %2, align 8, !invariant.load !1
# CHECK:   %10 = getelementptr inbounds i8, ptr %2, i64 8
# CHECK:   %11 = load i32, ptr %10, align 8, !range !2, !invariant.load !1
# CHECK:   %12 = zext nneg i32 %11 to i64
# CHECK:   %13 = addrspacecast ptr %9 to ptr addrspace(1)
# CHECK:   %14 = addrspacecast ptr addrspace(1) %13 to ptr
# CHECK:   call void @saxpy.body(float %0, ptr %8, i64 %6, ptr %14, i64 %12)
# CHECK:   ret void
# CHECK: }
# CHECK:
# CHECK: attributes #0 = { alwaysinline nounwind }
# CHECK: attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
# CHECK: attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
# CHECK: attributes #3 = { nounwind }
# CHECK:
# CHECK: !llvm.module.flags = !{!0}
# CHECK:
# CHECK: !0 = !{i32 8, !"PIC Level", i32 2}
# CHECK: !1 = !{}
# CHECK: !2 = !{i32 0, i32 1073737728}
