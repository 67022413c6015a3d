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
# CHECK:   v3 = cell k v2  @ 3:4-3:5
# CHECK:   v4 = function 1 k=v2  @ 4:4-5:20
# CHECK:   v5 = call v4(v0)  @ 6:11-6:15
# CHECK:   v6 = function 2 k=v2  @ 6:19-6:34
# CHECK:   v7 = const 3  @ 6:36-6:37
# CHECK:   v8 = call v6(v7)  @ 6:18-6:38
# CHECK:   v9 = binary + v5, v8  @ 6:11-6:38
# CHECK:   return v9  @ 6:4-6:38
# RUN: f(4) == PYTHON
