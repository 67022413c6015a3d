# Loops that count a number's ones, or its bits up to the highest, are an instruction each.
# SHOW: ptx
# KERNEL: yes
# FOR: (array[uint32, 1, contiguous, index32], array[int32, 1, contiguous, index32])
# ONLY: popc|clz|bfind|bra|\$L
from hetjit import device
def counts(x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    v, ones = x[i], 0
    while v != 0:
        v &= v - 1
        ones += 1
    w, bits = x[i], 0
    while w != 0:
        w >>= 1
        bits += 1
    out[i] = 64 * ones + bits

# CHECK: 	@%p1 bra 	$L__BB0_2;
# CHECK: 	popc.b32 	%r7, %r6;
# CHECK: 	clz.b32 	%r9, %r6;
# CHECK: $L__BB0_2:
