# FOR: (int)
def f(n):  #! E0103 a generator or coroutine cannot be compiled
    for i in range(n):
        yield i

# CHECK: error[E0103]: a generator or coroutine cannot be compiled
# CHECK:   --> tests/golden/diag/UnsupportedGenerator.py:2:1
# CHECK:    |
# CHECK: 2  | def f(n):  #! E0103 a generator or coroutine cannot be compiled
# CHECK:    | ^
# CHECK:    = help: return one value, or store each in an array: a[i] = value; waiting is for the host
