# SHOW: ssa
def f(a, b, c):
    return a < b <= c

# CHECK: function f source 0
# CHECK:   parameters a b c
# CHECK:   locals a b c
# CHECK: b0(v0:a, v1:b, v2:c):
# CHECK:   v3 = compare < v0, v1  @ 3:11-3:21
# CHECK:   branch v3 b1() b2()  @ 3:11-3:21
# CHECK: b1():
# CHECK:   v4 = compare <= v1, v2  @ 3:11-3:21
# CHECK:   jump b3(v4)  @ 3:11-3:21
# CHECK: b2():
# CHECK:   jump b3(v3)  @ 3:11-3:21
# CHECK: b3(v5):
# CHECK:   return v5  @ 3:4-3:21
# RUN: f(1, 2, 2) == PYTHON
# RUN: f(3, 2, 5) == PYTHON
