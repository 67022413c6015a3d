# FOR: (int, int32[:])
from hetjit import device

def count(n, x):
    own = device.local_array(2, device.int32)
    own[0] = n
    if n > 0:
        below = count(n - 1, x)
        own[1] = below[0]
        return x if n == 7 else own  #! E0324 'count' calls itself and returns a local array of its own
    return own[:1] if n < 0 else own

def f(n, x):
    return count(n, x)[0]

# CHECK: error[E0324]: 'count' calls itself and returns a local array of its own, which ends with the call
# CHECK:   --> tests/golden/diag/ReturnsOwnMemory.py:10:9
# CHECK:    |
# CHECK: 10 |         return x if n == 7 else own  #! E0324 'count' calls itself and returns a local array of its own
# CHECK:    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^
# CHECK:    = help: make the array where the function is called and pass it, or return a tuple of its elements
