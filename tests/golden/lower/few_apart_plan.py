# SHOW: plan
# KERNEL: yes
# FOR: (float32[:, :, ::1], float32[:, :, ::1], float32[:, :, ::1])
# ONLY: ^plan
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

# CHECK: plan where parameter 0 has 4 elements along axis 2
# CHECK: plan where parameter 0 has 4 elements along axis 1
# CHECK: plan where parameter 1 has 4 elements along axis 2
# CHECK: plan where parameter 1 has 4 elements along axis 1
# CHECK: plan where parameter 2 has 4 elements along axis 2
# CHECK: plan where parameter 2 has 4 elements along axis 1
# CHECK: plan where parameter 2 lies apart from all others
# CHECK: plan way: threads, because each walks along memory of its own; vectors would take 2.6 times as long
# CHECK: plan elsewhere
# CHECK: plan way: threads, because each walks along memory of its own; vectors would take 2.7 times as long
