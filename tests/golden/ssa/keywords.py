# SHOW: ssa
# FUNCTION: f
def g(a, b=2, *, c=3):
    return a * 100 + b * 10 + c
def f(x):
    return g(x) + g(b=x, a=1) + g(x, c=x)

# CHECK: function f source 0
# CHECK:   parameters x
# CHECK:   locals x
# CHECK:   name g = function(1)
# CHECK: b0(v0:x):
# CHECK:   v1 = name g  @ 6:11-6:12
# CHECK:   v2 = call v1(v0)  @ 6:11-6:15
# CHECK:   v3 = name g  @ 6:18-6:19
# CHECK:   v4 = const 1  @ 6:27-6:28
# CHECK:   v5 = call v3(b=v0, a=v4)  @ 6:18-6:29
# CHECK:   v6 = binary + v2, v5  @ 6:11-6:29
# CHECK:   v7 = name g  @ 6:32-6:33
# CHECK:   v8 = call v7(v0, c=v0)  @ 6:32-6:41
# CHECK:   v9 = binary + v6, v8  @ 6:11-6:41
# CHECK:   return v9  @ 6:4-6:41
# RUN: f(5) == PYTHON
