# SHOW: ssa
def f(n):
    total = 0
    for i in range(n):
        if i == 2:
            continue
        if i == 6:
            break
        total += i
    else:
        total = total + 100
    return total

# CHECK: function f source 0
# CHECK:   parameters n
# CHECK:   locals n total i
# CHECK:   name range = builtin(builtins.range)
# CHECK: b0(v0:n):
# CHECK:   v1 = const 0  @ 3:12-3:13
# CHECK:   v2 = name range  @ 4:13-4:18
# CHECK:   v3 = call v2(v0)  @ 4:13-4:21
# CHECK:   v4 = iter v3  @ 4:4-11:27
# CHECK:   v5 = iterstart v4  @ 4:4-11:27
# CHECK:   jump b1(v5, v1)  @ 4:4-11:27
# CHECK: b1(v6, v7:total):
# CHECK:   v8 = iterhas v4, v6  @ 4:4-11:27
# CHECK:   branch v8 b2() b7()  @ 4:4-11:27
# CHECK: b2():
# CHECK:   v9 = iteritem v4, v6  @ 4:4-11:27
# CHECK:   v10 = iternext v4, v6  @ 4:4-11:27
# CHECK:   v11 = const 2  @ 5:16-5:17
# CHECK:   v12 = compare == v9, v11  @ 5:11-5:17
# CHECK:   branch v12 b3() b4()  @ 5:11-5:17
# CHECK: b3():
# CHECK:   jump b1(v10, v7)  @ 6:12-6:20
# CHECK: b4():
# CHECK:   v13 = const 6  @ 7:16-7:17
# CHECK:   v14 = compare == v9, v13  @ 7:11-7:17
# CHECK:   branch v14 b5() b6()  @ 7:11-7:17
# CHECK: b5():
# CHECK:   jump b8(v7)  @ 8:12-8:17
# CHECK: b6():
# CHECK:   v15 = binary += v7, v9  @ 9:8-9:18
# CHECK:   jump b1(v10, v15)  @ 9:8-9:13
# CHECK: b7():
# CHECK:   v16 = const 100  @ 11:24-11:27
# CHECK:   v17 = binary + v7, v16  @ 11:16-11:27
# CHECK:   jump b8(v17)  @ 11:8-11:13
# CHECK: b8(v18:total):
# CHECK:   return v18  @ 12:4-12:16
# RUN: f(4) == PYTHON
# RUN: f(60) == PYTHON
