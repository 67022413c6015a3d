# SHOW: explain
# KERNEL: yes
# FOR: (float32[::1], float32[::1], int)
# ONLY: along|load: |store: 
from hetjit import device
def flat_rows(a, out, n):
    i, j = device.tid(2)
    if i < n and j < n:
        out[i * n + j] = a[i * n + j] * 2.0

# CHECK:   along y, through the whole grid: blocks of any shape are the same to it
# CHECK:    |         -------------- store: contiguous, float32, lane by lane where indices turn out to lie apart
# CHECK:    |                          ------------ load: contiguous, float32, lane by lane where indices turn out to lie apart
