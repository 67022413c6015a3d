# FOR: (int)
def f(n):
    for i in range(n):
        yield i  #! E0103 a generator or coroutine cannot be compiled

# CHECK: error[E0103]: a generator or coroutine cannot be compiled
# CHECK:   --> tests/golden/diag/UnsupportedGenerator.py:4:9
# CHECK:    |
# CHECK: 4  |         yield i
# CHECK:    |         ^^^^^^^
# CHECK:    = help: store each value in an array, as in out[i] = value; a function that kernels call may return several: return a, b
