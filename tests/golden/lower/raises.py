# SHOW: llvm
# FOR: (float32[::1])
# KERNEL: yes
# A function that may raise has one more result, and the caller asks it.
def f(x):
    def check(v):
        if v < 0:
            raise ValueError(f"{v}")
        return v

    x[0] = check(x[1])
