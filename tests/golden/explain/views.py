# SHOW: explain
# KERNEL: yes
# FOR: (array[float32, 2, contiguous, index32], float32[:, :], int, array[float32, 2, contiguous, index32])
# ONLY: ^plan |load|store|along|first axis|help
from hetjit import device
def views(a, gaps, step, out):
    y, x = device.tid(2)
    inner, every_second, backwards, any_step = a[1:-1, 1:-1], a[:, ::2], a[:, ::-1], a[:, ::step]
    turned, cut = a.T, gaps[:, 1:]
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = inner[y, x] + every_second[y, x]
        out[y, x] += backwards[y, x] + any_step[y, x]
        out[y, x] += turned[x, y] + turned[y, x]
        out[y, x] += gaps[y, x] + cut[y, x]

# CHECK:   along y, through the whole grid: blocks of any shape are the same to it; 16 rows together, as each line of an array that lies across them is used by all
# CHECK:    |         --------- store: contiguous, float32
# CHECK:    |                     ----------- load: contiguous, float32
# CHECK:    |                                   ------------------ load: strided, float32, 8 bytes apart
# CHECK:    |         --------- load: contiguous, float32
# CHECK:    |         --------- store: contiguous, float32
# CHECK:    |                      --------------- load: contiguous, float32, backwards
# CHECK:    |                                        -------------- load: strided, float32, by a stride known at run time only: side by side where it is 1
# CHECK:    |         --------- load: contiguous, float32
# CHECK:    |         --------- store: contiguous, float32
# CHECK:    |                      ------------ load: contiguous, float32
# CHECK:    |                                     ------------ load: strided, float32, by a stride known at run time only: side by side where it is 1
# CHECK:    |         --------- load: contiguous, float32
# CHECK:    |         --------- store: contiguous, float32
# CHECK:    |                      ---------- load: strided, float32, by a stride known at run time only: side by side where it is 1
# CHECK:    |                                   --------- load: strided, float32, by a stride known at run time only: side by side where it is 1
# CHECK:    = help: every_second[y, x]: it is the view that has gaps: make it without steps along the array's last axis, or index the array itself
# CHECK:    = help: any_step[y, x]: it is the view that has gaps: make it without steps along the array's last axis, or index the array itself
# CHECK:    = help: turned[y, x]: the first axis is contiguous, and threads side by side go along another: swap the indices, or their names, as in 'x, y = device.tid(2)' and a[y, x]
# CHECK:    = help: gaps[y, x]: the array may have gaps: pass one in C order, as numpy.ascontiguousarray makes it
# CHECK:    = help: cut[y, x]: the array may have gaps: pass one in C order, as numpy.ascontiguousarray makes it
