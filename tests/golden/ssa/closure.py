# SHOW: ssa
def f(x):
    k = x + 1
    def g(y):
        return y * k
    return g(x) + (lambda z: z - k)(3)

# CHECK: function f source 0
# CHECK:   parameters x
# CHECK:   locals x g k
# CHECK: b0(v0:x):
# CHECK:   v1 = const 1  @ 3:12-3:13
# CHECK:   v2 = binary + v0, v1  @ 3:8-3:13
# CHECK:   v3 = function 1 k=v2  @ 4:4-5:20
# CHECK:   v4 = call v3(v0)  @ 6:11-6:15
# CHECK:   v5 = function 2 k=v2  @ 6:19-6:34
# CHECK:   v6 = const 3  @ 6:36-6:37
# CHECK:   v7 = call v5(v6)  @ 6:18-6:38
# CHECK:   v8 = binary + v4, v7  @ 6:11-6:38
# CHECK:   return v8  @ 6:4-6:38
# RUN: f(4) == PYTHON
