# SHOW: ssa
def f(a, b):
    x = not (a and (a, b))
    y = not (b or None)
    return (x, y)

# CHECK: function f source 0
# CHECK:   parameters a b
# CHECK:   locals a b x y
# CHECK: b0(v0:a, v1:b):
# CHECK:   v2 = bool v0  @ 3:13-3:25
# CHECK:   branch v0 b1() b2(v2)  @ 3:13-3:25
# CHECK: b1():
# CHECK:   v3 = tuple v0, v1  @ 3:19-3:25
# CHECK:   v4 = bool v3  @ 3:19-3:25
# CHECK:   jump b2(v4)  @ 3:19-3:25
# CHECK: b2(v5):
# CHECK:   v6 = unary not v5  @ 3:8-3:26
# CHECK:   v7 = bool v1  @ 4:13-4:22
# CHECK:   branch v1 b4(v7) b3()  @ 4:13-4:22
# CHECK: b3():
# CHECK:   v8 = const None  @ 4:18-4:22
# CHECK:   v9 = bool v8  @ 4:18-4:22
# CHECK:   jump b4(v9)  @ 4:18-4:22
# CHECK: b4(v10):
# CHECK:   v11 = unary not v10  @ 4:8-4:23
# CHECK:   v12 = tuple v6, v11  @ 5:11-5:17
# CHECK:   return v12  @ 5:4-5:17
# RUN: f(1, 0.0) == PYTHON
# RUN: f(0, 2.5) == PYTHON
