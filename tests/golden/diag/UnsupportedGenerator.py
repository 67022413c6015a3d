# FOR: (int)
def f(n):  #! E0103 a generator or coroutine cannot be compiled
    for i in range(n):
        yield i
