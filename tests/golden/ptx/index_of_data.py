# An index that may be negative counts from the end. Of the two numbers, read as unsigned, the one inside the array is the smaller: no comparison.
# SHOW: ptx
# KERNEL: yes
# FOR: (array[float32, 1, contiguous, index32], array[int32, 1, contiguous, index32], array[float32, 1, contiguous, index32])
# ONLY: min|selp|setp|ld.global|st.global
from hetjit import device
def gather(x, index, out):
    i = device.tid(1)
    if i < index.shape[0]:
        out[i] = x[index[i]]

# CHECK: 	setp.ge.u32 	%p1, %r1, %r2;
# CHECK: 	ld.global.b32 	%r7, [%rd11];
# CHECK: 	min.u32 	%r9, %r7, %r8;
# CHECK: 	ld.global.b32 	%r10, [%rd13];
# CHECK: 	st.global.b32 	[%rd14], %r10;
