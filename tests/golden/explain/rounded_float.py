# SHOW: explain
# FOR: (float64[::1], float, int)
# KERNEL: yes
def scale(x, a, n):
    x[0] = x[0] * a + n / 3

# CHECK: scale(x: float64[::1], a: float, n: int) on cpu:x86-64-v3
# CHECK:   rows of threads: nothing in it waits for another thread
# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   along x, through the whole grid: blocks of any shape are the same to it
# CHECK:   --> tests/golden/explain/rounded_float.py:5:5
# CHECK:    |
# CHECK: 5  |     x[0] = x[0] * a + n / 3
# CHECK:    |     ---- store: uniform, float64
# CHECK:    |            ---- load: uniform, float64
# CHECK:    |                       ----- note: int32 becomes float32, exact up to 2**24 only
# CHECK:    |                   - warning: the Python float 'a' of the launch is rounded to float32 before it meets float64
# CHECK:    |                       ----- warning: a float computed of integers alone is rounded to float32 before it meets float64
