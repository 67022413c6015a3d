# SHOW: ssa
# Behind a loop a short `return` stands twice, too, since CPython 3.12; its copies are one, or the tests would lead to different places.
def f(a, b, c):
    n = 9
    while (n := n - 1) > 0 and (b != 5 and (c > a and a)): pass
    while (b if c > 0 else c) < (a & 15) > (a // 2) and (n := n - 1) > 0: a = ((c if a > 0 else b) * -1) & 15
    return a

# CHECK: function f source 0
# CHECK:   parameters a b c
# CHECK:   locals a b c n
# CHECK: b0(v0:a, v1:b, v2:c):
# CHECK:   v3 = const 9  @ 4:8-4:9
# CHECK:   jump b1(v3)  @ 4:4-4:5
# CHECK: b1(v4:n):
# CHECK:   v5 = const 1  @ 5:20-5:21
# CHECK:   v6 = binary - v4, v5  @ 5:16-5:21
# CHECK:   v7 = const 0  @ 5:25-5:26
# CHECK:   v8 = compare > v6, v7  @ 5:10-5:26
# CHECK:   branch v8 b2() b5(v0, v6)  @ 5:10-5:26
# CHECK: b2():
# CHECK:   v9 = const 5  @ 5:37-5:38
# CHECK:   v10 = compare != v1, v9  @ 5:32-5:38
# CHECK:   branch v10 b3() b5(v0, v6)  @ 5:32-5:38
# CHECK: b3():
# CHECK:   v11 = compare > v2, v0  @ 5:44-5:49
# CHECK:   branch v11 b4() b5(v0, v6)  @ 5:44-5:49
# CHECK: b4():
# CHECK:   branch v0 b1(v6) b5(v0, v6)  @ 5:44-5:49
# CHECK: b5(v12:a, v13:n):
# CHECK:   v14 = const 0  @ 6:20-6:21
# CHECK:   v15 = compare > v2, v14  @ 6:16-6:21
# CHECK:   branch v15 b6() b7()  @ 6:16-6:21
# CHECK: b6():
# CHECK:   jump b8(v1)  @ 6:11-6:12
# CHECK: b7():
# CHECK:   jump b8(v2)  @ 6:27-6:28
# CHECK: b8(v16):
# CHECK:   v17 = const 15  @ 6:37-6:39
# CHECK:   v18 = binary & v12, v17  @ 6:33-6:39
# CHECK:   v19 = compare < v16, v18  @ 6:10-6:51
# CHECK:   branch v19 b9() b16()  @ 6:10-6:51
# CHECK: b9():
# CHECK:   v20 = const 2  @ 6:49-6:50
# CHECK:   v21 = binary // v12, v20  @ 6:44-6:50
# CHECK:   v22 = compare > v18, v21  @ 6:10-6:51
# CHECK:   branch v22 b10() b17()  @ 6:10-6:51
# CHECK: b10():
# CHECK:   jump b11()  @ 6:10-6:51
# CHECK: b11():
# CHECK:   v23 = const 1  @ 6:66-6:67
# CHECK:   v24 = binary - v13, v23  @ 6:62-6:67
# CHECK:   v25 = const 0  @ 6:71-6:72
# CHECK:   v26 = compare > v24, v25  @ 6:56-6:72
# CHECK:   branch v26 b12() b17()  @ 6:56-6:72
# CHECK: b12():
# CHECK:   v27 = const 0  @ 6:89-6:90
# CHECK:   v28 = compare > v12, v27  @ 6:85-6:90
# CHECK:   branch v28 b13() b14()  @ 6:85-6:90
# CHECK: b13():
# CHECK:   jump b15(v2)  @ 6:80-6:81
# CHECK: b14():
# CHECK:   jump b15(v1)  @ 6:96-6:97
# CHECK: b15(v29):
# CHECK:   v30 = const -1  @ 6:101-6:103
# CHECK:   v31 = binary * v29, v30  @ 6:79-6:103
# CHECK:   v32 = const 15  @ 6:107-6:109
# CHECK:   v33 = binary & v31, v32  @ 6:78-6:109
# CHECK:   jump b5(v33, v24)  @ 6:74-6:75
# CHECK: b16():
# CHECK:   jump b17()  @ 6:10-6:51
# CHECK: b17():
# CHECK:   return v12  @ 7:4-7:12
# RUN: f(1, 2, 3) == PYTHON
# RUN: f(9, -4, 6) == PYTHON
# RUN: f(13, 0, -2) == PYTHON
