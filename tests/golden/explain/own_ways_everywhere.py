# KERNEL: yes
# SHOW: explain
# TARGET: cpu:x86-64-v4
# FOR: (array[int32, 2, contiguous, index32], array[int32, 1, contiguous, index32])
# Threads that go different ways in a loop, to places of their own, are no lanes, with masks for memory accesses either, where they take twice as long.
from hetjit import device


def parts(a, out):
    t = device.tid(1)
    if t < out.shape[0]:
        seen = device.local_array(64, device.int32)
        stack = device.local_array(64, device.int32)
        for k in range(64):
            seen[k] = a[t, k]
        count = 0
        for k in range(64):
            if seen[k] == 0:
                count += 1
                stack[0] = k
                seen[k] = 1
                n = 1
                while n > 0:
                    n -= 1
                    p = stack[n]
                    if p % 8 > 0 and seen[p - 1] == 0:
                        seen[p - 1] = 1
                        stack[n] = p - 1
                        n += 1
                    if p > 7 and seen[p - 8] == 0:
                        seen[p - 8] = 1
                        stack[n] = p - 8
                        n += 1
        out[t] = count

# CHECK: parts(a: int32[:, ::1], out: int32[::1]) on cpu:x86-64-v4
# CHECK:   thread by thread: each goes its own ways in a loop, to places of its own; vectors would take 1.7 times as long
# CHECK:   --> tests/golden/explain/own_ways_everywhere.py:11:8
# CHECK:    |
# CHECK: 11 |     if t < out.shape[0]:
# CHECK:    |        ---------------- branch: divergent
# CHECK: ...
# CHECK: 14 |         for k in range(64):
# CHECK:    |         -------------------... loop: uniform
# CHECK: 15 |             seen[k] = a[t, k]
# CHECK:    |             ------- store: scatter, int32 of the thread's own memory
# CHECK:    |                       ------- load: strided, int32, by a stride known at run time only
# CHECK: ...
# CHECK: 17 |         for k in range(64):
# CHECK:    |         -------------------... loop: uniform
# CHECK: 18 |             if seen[k] == 0:
# CHECK:    |                ------- load: gather, int32 of the thread's own memory
# CHECK:    |                ------------ branch: divergent
# CHECK: ...
# CHECK: 20 |                 stack[0] = k
# CHECK:    |                 -------- store: scatter, int32 of the thread's own memory
# CHECK: 21 |                 seen[k] = 1
# CHECK:    |                 ------- store: scatter, int32 of the thread's own memory
# CHECK: ...
# CHECK: 23 |                 while n > 0:
# CHECK:    |                       ----- loop: divergent
# CHECK: ...
# CHECK: 25 |                     p = stack[n]
# CHECK:    |                         -------- load: gather, int32 of the thread's own memory
# CHECK: 26 |                     if p % 8 > 0 and seen[p - 1] == 0:
# CHECK:    |                        --------- branch: divergent
# CHECK:    |                                      ----------- load: gather, int32 of the thread's own memory
# CHECK:    |                                      ---------------- branch: divergent
# CHECK: 27 |                         seen[p - 1] = 1
# CHECK:    |                         ----------- store: scatter, int32 of the thread's own memory
# CHECK: 28 |                         stack[n] = p - 1
# CHECK:    |                         -------- store: scatter, int32 of the thread's own memory
# CHECK: ...
# CHECK: 30 |                     if p > 7 and seen[p - 8] == 0:
# CHECK:    |                        ----- branch: divergent
# CHECK:    |                                  ----------- load: gather, int32 of the thread's own memory
# CHECK:    |                                  ---------------- branch: divergent
# CHECK: 31 |                         seen[p - 8] = 1
# CHECK:    |                         ----------- store: scatter, int32 of the thread's own memory
# CHECK: 32 |                         stack[n] = p - 8
# CHECK:    |                         -------- store: scatter, int32 of the thread's own memory
# CHECK: ...
# CHECK: 34 |         out[t] = count
# CHECK:    |         ------ store: contiguous, int32
# CHECK:    = help: a[t, k]: the last axis is contiguous, and threads side by side go along another: let the threads of a block or a warp go along it together, or keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the indices then
