# A vector of several registers is stored in the order of addresses: lines of the caches that an element lies across come up once.
# SHOW: host
# TARGET: cpu:x86-64-v3
# KERNEL: yes
# FOR: (float64[::1], float64[::1])
# ONLY: vmov[au]pd.*mm\d, .*\(
from hetjit import device
def stores_in_order(x, out):
    i = device.tid(1)
    if i < len(out):
        out[i] = x[i] * x[i]

# CHECK: 	vmovupd	%ymm0, (%r15,%r8)
# CHECK: 	vmovupd	%ymm1, 32(%r15,%r8)
# CHECK: 	vmovupd	%ymm2, 64(%r15,%r8)
# CHECK: 	vmovupd	%ymm3, 96(%r15,%r8)
