# SHOW: explain
# KERNEL: yes
# FOR: (int32[::1], int32[::1])
from hetjit import device
def lock(mutex, total):
    while device.atomic.cas(mutex, 0, 0, 1, "acquire") != 0:
        pass
    total[0] += 1
    device.atomic.store(mutex, 0, 0, "release")

# CHECK: lock(mutex: int32[::1], total: int32[::1]) on cpu:x86-64-v3
# CHECK:   tier Threads: a loop waits for what another thread writes
# CHECK:   2 phases, from wait to wait
# CHECK:   1 lane: each thread goes from wait to wait by itself
# CHECK:   --> tests/golden/explain/lock.py:6:11
# CHECK:    |
# CHECK: 6  |     while device.atomic.cas(mutex, 0, 0, 1, "acquire") != 0:
# CHECK:    |           -------------------------------------------- atomic exchange: uniform, int32
# CHECK:    |           ------------------------------------------------- loop: divergent, waits for another thread
# CHECK: ...
# CHECK: 8  |     total[0] += 1
# CHECK:    |     -------- load: uniform, int32
# CHECK:    |     -------- store: uniform, int32
# CHECK: 9  |     device.atomic.store(mutex, 0, 0, "release")
# CHECK:    |     ------------------------------------------- atomic store: uniform, int32
