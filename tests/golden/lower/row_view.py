# On the host a loop over a view becomes vectors as one over the array does.
# SHOW: host
# KERNEL: yes
# FOR: (array[float32, 2, contiguous, index32], array[float32, 1, contiguous, index32], int)
# ONLY: vmovups|vaddps|vmulps
def scaled(a, out, i):
    row = a[i]
    for j in range(row.shape[0]):
        out[j] = row[j] * 2

# CHECK: 	vmovups	(%rsi,%rdi,4), %ymm0
# CHECK: 	vaddps	%ymm0, %ymm0, %ymm0
# CHECK: 	vmovups	%ymm0, (%rcx,%rdi,4)
# CHECK: 	vmovups	(%r15,%rdx,4), %ymm0
# CHECK: 	vaddps	%ymm0, %ymm0, %ymm0
# CHECK: 	vmovups	%ymm0, (%rsi,%rdx,4)

# ROW: HET-ARR-3
