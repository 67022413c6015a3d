# SHOW: ssa
def f(x):
    if (y := x * 2) > 10:
        return y
    return x

# CHECK: function f source 0
# CHECK:   parameters x
# CHECK:   locals x y
# CHECK: b0(v0:x):
# CHECK:   v1 = const 2  @ 3:17-3:18
# CHECK:   v2 = binary * v0, v1  @ 3:13-3:18
# CHECK:   v3 = const 10  @ 3:22-3:24
# CHECK:   v4 = compare > v2, v3  @ 3:7-3:24
# CHECK:   branch v4 b1() b2()  @ 3:7-3:24
# CHECK: b1():
# CHECK:   return v2  @ 4:8-4:16
# CHECK: b2():
# CHECK:   return v0  @ 5:4-5:12
# RUN: f(6) == PYTHON
# RUN: f(2) == PYTHON
