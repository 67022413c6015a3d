# FOR: (uint64, int64)
def f(a, b):
    return a + b  #! E0204 cannot apply '+' to uint64 and int64: no integer type holds both
