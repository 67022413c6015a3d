# SHOW: explain
# KERNEL: yes
# FOR: (float64[::1], float64[::1], int, float64[::1])
# ONLY: ^plan |loop|branch|load
from hetjit import device
def correlate(x, taps, n, out):
    i = device.tid(1)
    if i >= n:
        return
    total = 0.0
    for k in range(taps.shape[0]):
        j = i - k
        if j < 0:
            continue
        total += x[j] * taps[k]
    for k in range(taps.shape[0]):
        if k <= i:                 # the bound is another one in each turn
            total += taps[k]
    for k in range(n):
        if i - k >= 0:
            out[i] = total         # written in the loop
    out[i] = total

# CHECK:   2 vectors side by side, where a row has as many: a loop's turns wait for those before
# CHECK:    |        ------ branch: divergent
# CHECK:    |     ------------------------------... loop: uniform, without masks while all lanes are within bounds
# CHECK:    |            ----- branch: divergent
# CHECK:    |                  ---- load: contiguous, float64
# CHECK:    |                         ------- load: uniform, float64
# CHECK:    |     ------------------------------... loop: uniform
# CHECK:    |            ------ branch: divergent
# CHECK:    |                      ------- load: uniform, float64
# CHECK:    |     ------------------... loop: uniform
# CHECK:    |            ---------- branch: divergent
# CHECK: 21 |             out[i] = total         # written in the loop
