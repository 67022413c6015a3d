# SHOW: ssa
def f(a, b, c):
    return a and b or c

# CHECK: function f source 0
# CHECK:   parameters a b c
# CHECK:   locals a b c
# CHECK: b0(v0:a, v1:b, v2:c):
# CHECK:   branch v0 b1() b3()  @ 3:11-3:18
# CHECK: b1():
# CHECK:   branch v1 b4(v1) b2()  @ 3:11-3:23
# CHECK: b2():
# CHECK:   jump b3()  @ 3:11-3:23
# CHECK: b3():
# CHECK:   jump b4(v2)  @ 3:22-3:23
# CHECK: b4(v3):
# CHECK:   return v3  @ 3:4-3:23
# RUN: f(1, 0, 5) == PYTHON
# RUN: f(1, 2, 5) == PYTHON
# RUN: f(0, 2, 0) == PYTHON
