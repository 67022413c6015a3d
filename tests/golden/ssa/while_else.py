# SHOW: ssa
def f(n):
    i = 0
    while i < n:
        i += 1
        if i > 7:
            break
    else:
        i = -1
    return i

# CHECK: function f source 0
# CHECK:   parameters n
# CHECK:   locals n i
# CHECK: b0(v0:n):
# CHECK:   v1 = const 0  @ 3:8-3:9
# CHECK:   jump b1(v1)  @ 3:4-3:5
# CHECK: b1(v2:i):
# CHECK:   v3 = compare < v2, v0  @ 4:10-4:15
# CHECK:   branch v3 b2() b4()  @ 4:10-4:15
# CHECK: b2():
# CHECK:   v4 = const 1  @ 5:13-5:14
# CHECK:   v5 = binary += v2, v4  @ 5:8-5:14
# CHECK:   v6 = const 7  @ 6:15-6:16
# CHECK:   v7 = compare > v5, v6  @ 6:11-6:16
# CHECK:   branch v7 b3() b1(v5)  @ 6:11-6:16
# CHECK: b3():
# CHECK:   jump b5(v5)  @ 7:12-7:17
# CHECK: b4():
# CHECK:   v8 = const -1  @ 9:12-9:14
# CHECK:   jump b5(v8)  @ 9:8-9:9
# CHECK: b5(v9:i):
# CHECK:   return v9  @ 10:4-10:12
# RUN: f(3) == PYTHON
# RUN: f(30) == PYTHON
