# SHOW: llvm
# FOR: (float32[::1])
# TARGET: cpu:x86-64-v2
# KERNEL: yes
# ONLY: ^define|^@|claim|raised|ret |extractvalue|cmpxchg
# Thread by thread: a function that may raise has one more result, and the caller asks it.
def f(x):
    def check(v):
        if v < 0:
            raise ValueError(f"{v}")
        return v

    x[0] = check(x[1])

# CHECK: @hetjit_error = dso_local externally_initialized global [552 x i8] zeroinitializer, align 8
# CHECK: @hetjit_attention = dso_local externally_initialized global i32 0
# CHECK: define internal i1 @f.body(ptr %0, i64 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12, i32 %13) #0 {
# CHECK:   %16 = extractvalue { float, i1 } %15, 0
# CHECK:   %17 = extractvalue { float, i1 } %15, 1
# CHECK:   br i1 %17, label %raised, label %returned
# CHECK: raised:                                           ; preds = %b0
# CHECK:   ret i1 true
# CHECK:   ret i1 false
# CHECK: define internal { float, i1 } @check.body(float %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, i32 %7, i32 %8, i32 %9, i32 %10, i32 %11, i32 %12) #0 {
# CHECK:   ret { float, i1 } %mrv1
# CHECK:   %14 = call ptr @hetjit.claim(i32 0, i32 1, i32 %4, i32 %5, i32 %6, i32 %1, i32 %2, i32 %3)
# CHECK:   ret { float, i1 } { float poison, i1 true }
# CHECK: define internal ptr @hetjit.claim(i32 %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5, i32 %6, i32 %7) #1 {
# CHECK:   %8 = cmpxchg ptr @hetjit_error, i64 0, i64 1 monotonic monotonic, align 8
# CHECK:   %9 = extractvalue { i64, i1 } %8, 1
# CHECK:   ret ptr getelementptr inbounds (i8, ptr getelementptr inbounds (i8, ptr @hetjit_error, i64 8), i64 32)
# CHECK:   ret ptr null
# CHECK: define void @f(ptr %0, ptr %1, i64 %2, i64 %3) #2 {
# CHECK:   ret void
