# FOR: (float32[:, ::1], float32[::1])
def f(z, x):
    x[2:] = z  #! E0412 cannot store float32[:, ::1] in float32[::1]

# CHECK: error[E0412]: cannot store float32[:, ::1] in float32[::1]: it has more dimensions
# CHECK:   --> tests/golden/diag/StoreDimensions.py:3:13
# CHECK:    |
# CHECK: 3  |     x[2:] = z  #! E0412 cannot store float32[:, ::1] in float32[::1]
# CHECK:    |             ^
# CHECK:    |             - this is float32[:, ::1], from the argument 'z'
# CHECK:    = help: store one row or element at a time, or view both with the same axes
