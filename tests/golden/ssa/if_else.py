# SHOW: ssa
def f(a, b):
    if a > b:
        x = a
    else:
        x = b
    return x

# CHECK: function f source 0
# CHECK:   parameters a b
# CHECK:   locals a b x
# CHECK: b0(v0:a, v1:b):
# CHECK:   v2 = compare > v0, v1  @ 3:7-3:12
# CHECK:   branch v2 b1() b2()  @ 3:7-3:12
# CHECK: b1():
# CHECK:   jump b3(v0)  @ 4:8-4:9
# CHECK: b2():
# CHECK:   jump b3(v1)  @ 6:8-6:9
# CHECK: b3(v3:x):
# CHECK:   return v3  @ 7:4-7:12
# RUN: f(int32(3), int32(5)) == PYTHON
# RUN: f(7, 5) == PYTHON
