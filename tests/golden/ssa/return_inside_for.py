# SHOW: ssa
def f(n, stop):
    for i in range(n):
        for j in range(i):
            if i * j == stop:
                return i + j
    return -1

# CHECK: function f source 0
# CHECK:   parameters n stop
# CHECK:   locals n stop i j
# CHECK:   name range = builtin(builtins.range)
# CHECK: b0(v0:n, v1:stop):
# CHECK:   v2 = name range  @ 3:13-3:18
# CHECK:   v3 = call v2(v0)  @ 3:13-3:21
# CHECK:   v4 = iter v3  @ 3:4-6:28
# CHECK:   v5 = iterstart v4  @ 3:4-6:28
# CHECK:   jump b1(v5)  @ 3:4-6:28
# CHECK: b1(v6):
# CHECK:   v7 = iterhas v4, v6  @ 3:4-6:28
# CHECK:   branch v7 b2() b8()  @ 3:4-6:28
# CHECK: b2():
# CHECK:   v8 = iteritem v4, v6  @ 3:4-6:28
# CHECK:   v9 = iternext v4, v6  @ 3:4-6:28
# CHECK:   v10 = name range  @ 4:17-4:22
# CHECK:   v11 = call v10(v8)  @ 4:17-4:25
# CHECK:   v12 = iter v11  @ 4:8-6:28
# CHECK:   v13 = iterstart v12  @ 4:8-6:28
# CHECK:   jump b3(v13)  @ 4:8-6:28
# CHECK: b3(v14):
# CHECK:   v15 = iterhas v12, v14  @ 4:8-6:28
# CHECK:   branch v15 b4() b7()  @ 4:8-6:28
# CHECK: b4():
# CHECK:   v16 = iteritem v12, v14  @ 4:8-6:28
# CHECK:   v17 = iternext v12, v14  @ 4:8-6:28
# CHECK:   v18 = binary * v8, v16  @ 5:15-5:20
# CHECK:   v19 = compare == v18, v1  @ 5:15-5:28
# CHECK:   branch v19 b5() b6()  @ 5:15-5:28
# CHECK: b5():
# CHECK:   v20 = binary + v8, v16  @ 6:23-6:28
# CHECK:   return v20  @ 6:16-6:28
# CHECK: b6():
# CHECK:   jump b3(v17)  @ 5:15-5:28
# CHECK: b7():
# CHECK:   jump b1(v9)  @ 4:8-6:28
# CHECK: b8():
# CHECK:   v21 = const -1  @ 7:11-7:13
# CHECK:   return v21  @ 7:11-7:13
# RUN: f(10, 12) == PYTHON
# RUN: f(2, 12) == PYTHON
