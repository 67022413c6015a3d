# FOR: (int)
def f(n):
    for i in range(n):
        yield i  #! E0103 a generator or coroutine cannot be compiled

# CHECK: error[E0103]: a generator or coroutine cannot be compiled
# CHECK:   --> tests/golden/diag/UnsupportedGenerator.py:4:9
# CHECK:    |
# CHECK: 4  |         yield i
# CHECK:    |         ^^^^^^^
# CHECK:    = help: return one value, or store each in an array: a[i] = value; waiting is for the host
