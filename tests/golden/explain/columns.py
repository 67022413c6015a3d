# SHOW: explain
# KERNEL: yes
# FOR: (array[float32, 2, index32], array[float32, 2, index32])
# FOR: (array[float32, 2, index32], array[float32, 2, contiguous, index32])
# ONLY: ^plan |load|store|along|first axis|help
from hetjit import device
def columns(a, out):
    y, x = device.tid(2)
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = 2.0 * a[y, x]

# CHECK:   along y, through the whole grid: blocks of any shape are the same to it
# CHECK:   where the first axis of a, out is contiguous, as in Fortran order, lanes go along it
# CHECK:    |         --------- store: strided, float32, by a stride known at run time only: side by side where it is 1
# CHECK:    |                           ------- load: strided, float32, by a stride known at run time only: side by side where it is 1
# CHECK:    = help: out[y, x]: the array may have gaps: pass one in C order, as numpy.ascontiguousarray makes it
# CHECK:    = help: a[y, x]: the array may have gaps: pass one in C order, as numpy.ascontiguousarray makes it
# CHECK:   along y, through the whole grid: blocks of any shape are the same to it
# CHECK:   where the first axis of a is contiguous, as in Fortran order, lanes go along the other one; 16 rows together, as each line of an array that lies across them is used by all
# CHECK:    |         --------- store: contiguous, float32
# CHECK:    |                           ------- load: strided, float32, by a stride known at run time only: side by side where it is 1
# CHECK:    = help: a[y, x]: the array may have gaps: pass one in C order, as numpy.ascontiguousarray makes it
