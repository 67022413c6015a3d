# SHOW: ptx
# KERNEL: yes
# FOR: (float, array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32])
# ONLY: entry|param|fma|ld\.|st\.|ret
from hetjit import device
def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]

# CHECK: .visible .entry saxpy(
# CHECK: 	.param .f32 saxpy_param_0,
# CHECK: 	.param .align 8 .b8 saxpy_param_1[24],
# CHECK: 	.param .align 8 .b8 saxpy_param_2[24]
# CHECK: 	ld.param.b32 	%r3, [saxpy_param_1+8];
# CHECK: 	ld.param.b32 	%r2, [saxpy_param_0];
# CHECK: 	mov.b64 	%rd1, saxpy_param_2;
# CHECK: 	mov.b64 	%rd2, saxpy_param_1;
# CHECK: 	ld.param.b64 	%rd3, [%rd1];
# CHECK: 	ld.param.b64 	%rd5, [%rd2];
# CHECK: 	ld.global.b32 	%r7, [%rd8];
# CHECK: 	ld.global.b32 	%r8, [%rd9];
# CHECK: 	fma.rn.f32 	%r9, %r2, %r7, %r8;
# CHECK: 	st.global.b32 	[%rd9], %r9;
# CHECK: 	ret;
