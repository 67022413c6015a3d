# Threads go one by one here; what one of them does alike for four neighbours is a vector of its own.
# SHOW: host
# KERNEL: yes
# FOR: (float32[:, :, ::1], float32[:, :, ::1], float32[:, :, ::1])
# ONLY: vfmadd.*ps
from hetjit import device
def products(a, b, c):
    i = device.tid(1)
    if i < a.shape[0]:
        for row in range(4):
            for column in range(4):
                total = 0.0
                for k in range(4):
                    total += a[i, row, k] * b[i, k, column]
                c[i, row, column] = total

# CHECK: 	vfmadd132ps	(%r11,%rdi), %xmm0, %xmm1
# CHECK: 	vfmadd132ps	16(%r11,%rdi), %xmm1, %xmm2
# CHECK: 	vfmadd132ps	32(%r11,%rdi), %xmm2, %xmm1
# CHECK: 	vfmadd132ps	48(%r11,%rdi), %xmm1, %xmm2
