# KERNEL: yes
# FOR: (array[float32, 1, contiguous, readonly])
def f(x):
    x[0] = 1.0  #! E0403 cannot store to a read-only array

# CHECK: error[E0403]: cannot store to a read-only array
# CHECK:   --> tests/golden/diag/ReadOnlyArray.py:4:5
# CHECK:    |
# CHECK: 4  |     x[0] = 1.0  #! E0403 cannot store to a read-only array
# CHECK:    |     ^
# CHECK:    |     - this is float32[::1], from the argument 'x'
# CHECK:    = help: pass a writable array: this one may only be read
