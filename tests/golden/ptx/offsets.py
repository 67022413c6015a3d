# Of a row's elements, whose loop is written out, the constants in the indices are offsets of one address.
# SHOW: ptx
# KERNEL: yes
# FOR: (array[float32, 2, contiguous, index32], array[float32, 1, contiguous, index32])
# ONLY: ld.global|mul.wide
from hetjit import device
def sums(v, out):
    i = device.tid(1)
    if i < v.shape[0]:
        total = 0.0
        for c in range(4):
            total += v[i, c]
        out[i] = total

# CHECK: 	mul.wide.u32 	%rd6, %r7, 4;
# CHECK: 	ld.global.b32 	%r8, [%rd7];
# CHECK: 	ld.global.b32 	%r10, [%rd7+4];
# CHECK: 	ld.global.b32 	%r12, [%rd7+8];
# CHECK: 	ld.global.b32 	%r14, [%rd7+12];
# CHECK: 	mul.wide.u32 	%rd8, %r1, 4;
