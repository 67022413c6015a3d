# FUNCTION: f
# FOR: (int)
def outer():
    total = 0

    def add(x):
        nonlocal total
        total += x  #! E0122 'total' belongs to an outer function
        return total
    return add


f = outer()

# CHECK: error[E0122]: 'total' belongs to an outer function and cannot be assigned in a compiled function
# CHECK:   --> tests/golden/diag/OuterAssignment.py:8:9
# CHECK:    |
# CHECK: 8  |         total += x  #! E0122 'total' belongs to an outer function
# CHECK:    |         ^^^^^
# CHECK:    = help: return the new value, and assign it where the function is called; what threads share is an element of an array: device.atomic.add(total, 0, 1)
