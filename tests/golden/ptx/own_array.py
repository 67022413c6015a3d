# Loops in one another whose counts are known are written out, the inner ones too: then the thread's own array lies in registers.
# SHOW: ptx
# KERNEL: yes
# FOR: (array[float32, 2, contiguous, index32], array[float32, 1, contiguous, index32])
# ONLY: local|\$L|min|max
from hetjit import device
def middle(x, out):
    i = device.tid(1)
    if i >= x.shape[0]:
        return
    v = device.local_array(5, device.float32)
    for k in range(5):
        v[k] = x[i, k]
    for first in range(3):
        for other in range(first + 1, 5):
            v[first], v[other] = min(v[first], v[other]), max(v[first], v[other])
    out[i] = v[2]

# CHECK: 	@%p1 bra 	$L__BB0_2;
# CHECK: $L__BB0_2:
