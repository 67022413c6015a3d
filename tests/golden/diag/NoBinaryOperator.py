# FOR: (float32, int64)
def f(a, n):
    return a @ n  #! E0201 cannot apply '@' to float32 and int64
