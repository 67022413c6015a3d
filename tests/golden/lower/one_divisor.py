# Vectors have no division of integers: one number for all lanes is divided by once, before the loop over warps, and each vector is multiplied.
# SHOW: host
# KERNEL: yes
# FOR: (int32[::1], int32, int32[::1])
# FOR: (uint32[::1], uint32, uint32[::1])
# ONLY: vdivpd|vmulpd
from hetjit import device
def one_divisor(x, by, out):
    i = device.tid(1)
    if i < len(out):
        out[i] = x[i] % by

# CHECK: 	vdivpd	%ymm7, %ymm9, %ymm7
# CHECK: 	vdivpd	%ymm6, %ymm9, %ymm6
# CHECK: 	vmulpd	%ymm7, %ymm10, %ymm10
# CHECK: 	vmulpd	%ymm6, %ymm9, %ymm9
# CHECK: 	vmulpd	%ymm7, %ymm8, %ymm7
# CHECK: 	vmulpd	%ymm6, %ymm11, %ymm6
# CHECK: 	vdivpd	%ymm1, %ymm2, %ymm1
# CHECK: 	vdivpd	%ymm0, %ymm2, %ymm0
# CHECK: 	vmulpd	%ymm5, %ymm8, %ymm5
# CHECK: 	vmulpd	%ymm4, %ymm9, %ymm4
# CHECK: 	vmulpd	%ymm3, %ymm8, %ymm3
# CHECK: 	vmulpd	%ymm2, %ymm9, %ymm2
# CHECK: 	vdivpd	%ymm5, %ymm7, %ymm5
# CHECK: 	vmulpd	%ymm5, %ymm6, %ymm6
# CHECK: 	vmulpd	%ymm5, %ymm9, %ymm9
# CHECK: 	vmulpd	%ymm5, %ymm8, %ymm8
# CHECK: 	vmulpd	%ymm5, %ymm7, %ymm5
# CHECK: 	vdivpd	%ymm0, %ymm1, %ymm0
# CHECK: 	vmulpd	%ymm5, %ymm10, %ymm5
# CHECK: 	vmulpd	%ymm4, %ymm10, %ymm4
# CHECK: 	vmulpd	%ymm3, %ymm10, %ymm3
# CHECK: 	vmulpd	%ymm2, %ymm10, %ymm2
