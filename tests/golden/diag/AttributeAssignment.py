# FOR: (float32[::1])
def f(x):
    x.shape = 3  #! E0315 cannot assign attribute 'shape'
    return x[0]

# CHECK: error[E0315]: cannot assign attribute 'shape' of float32[::1]
# CHECK:   --> tests/golden/diag/AttributeAssignment.py:3:5
# CHECK:    |
# CHECK: 3  |     x.shape = 3  #! E0315 cannot assign attribute 'shape'
# CHECK:    |     ^
# CHECK:    |     - this is float32[::1], from the argument 'x'
# CHECK:    = help: make a new value in its place: views by reshape() and slices, structs by replace()
