# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float32[::1], float32[::1], int)
# FOR: (int32[::1], int32[::1], int32[::1], int)
# ONLY: along|thread by|load: 
from hetjit import device
def flat_products(a, b, out, n):
    j, i = device.tid(2)
    if i < n and j < n:
        total = a[0] * 0
        for k in range(n):
            total += a[i * n + k] * b[j * n + k]
        out[i * n + j] = total

# CHECK:   along x, through the whole grid: blocks of any shape are the same to it; 16 rows together, 4 of them as one, as they load the same in a loop
# CHECK:    |                 ---- load: uniform, float32
# CHECK:    |                      ------------ load: uniform, float32
# CHECK:    |                                     ------------ load: gather, float32
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it; 16 rows together, 4 of them as one, as they load the same in a loop
# CHECK:    |                      ------------ load: uniform, int32
# CHECK:    |                                     ------------ load: gather, int32
