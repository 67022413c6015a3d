# SHOW: ssa
# The tests of `while` stand in the graph once, however the version of Python lays them out.
def f(a, b):
    n = 0
    while n < a and n * n < b:
        n += 1
    while not n == 3 or b < n:
        n -= 1
        if n < 0:
            break
    c = a
    while 0 < c < b:
        c += n + 1
    while (d := c - 2) > 0:
        while d != 0:
            d = d // 2
            c -= 1
        c -= 1
    e = 0
    for i in range(2):
        while (e if i > 0 else c) < b + i:
            e += 1
            c += 2
    return n, c, d, e

# CHECK: function f source 0
# CHECK:   parameters a b
# CHECK:   locals a b n c d e i
# CHECK:   name range = builtin(builtins.range)
# CHECK: b0(v0:a, v1:b):
# CHECK:   v2 = const 0  @ 4:8-4:9
# CHECK:   jump b1(v2)  @ 4:4-4:5
# CHECK: b1(v3:n):
# CHECK:   v4 = compare < v3, v0  @ 5:10-5:15
# CHECK:   branch v4 b2() b4(v3)  @ 5:10-5:15
# CHECK: b2():
# CHECK:   v5 = binary * v3, v3  @ 5:20-5:25
# CHECK:   v6 = compare < v5, v1  @ 5:20-5:29
# CHECK:   branch v6 b3() b4(v3)  @ 5:20-5:29
# CHECK: b3():
# CHECK:   v7 = const 1  @ 6:13-6:14
# CHECK:   v8 = binary += v3, v7  @ 6:8-6:14
# CHECK:   jump b1(v8)  @ 6:8-6:9
# CHECK: b4(v9:n):
# CHECK:   v10 = const 3  @ 7:19-7:20
# CHECK:   v11 = compare == v9, v10  @ 7:14-7:20
# CHECK:   branch v11 b5() b6()  @ 7:14-7:20
# CHECK: b5():
# CHECK:   v12 = compare < v1, v9  @ 7:24-7:29
# CHECK:   branch v12 b6() b8(v9)  @ 7:24-7:29
# CHECK: b6():
# CHECK:   v13 = const 1  @ 8:13-8:14
# CHECK:   v14 = binary -= v9, v13  @ 8:8-8:14
# CHECK:   v15 = const 0  @ 9:15-9:16
# CHECK:   v16 = compare < v14, v15  @ 9:11-9:16
# CHECK:   branch v16 b7() b4(v14)  @ 9:11-9:16
# CHECK: b7():
# CHECK:   jump b8(v14)  @ 10:12-10:17
# CHECK: b8(v17:n):
# CHECK:   jump b9(v0)  @ 11:4-11:5
# CHECK: b9(v18:c):
# CHECK:   v19 = const 0  @ 12:10-12:11
# CHECK:   v20 = compare < v19, v18  @ 12:10-12:19
# CHECK:   branch v20 b10() b13()  @ 12:10-12:19
# CHECK: b10():
# CHECK:   v21 = compare < v18, v1  @ 12:10-12:19
# CHECK:   branch v21 b11() b12()  @ 12:10-12:19
# CHECK: b11():
# CHECK:   v22 = const 1  @ 13:17-13:18
# CHECK:   v23 = binary + v17, v22  @ 13:13-13:18
# CHECK:   v24 = binary += v18, v23  @ 13:8-13:18
# CHECK:   jump b9(v24)  @ 13:8-13:9
# CHECK: b12():
# CHECK:   jump b14(v18)  @ 12:10-12:19
# CHECK: b13():
# CHECK:   jump b14(v18)  @ 12:10-12:19
# CHECK: b14(v25:c):
# CHECK:   v26 = const 2  @ 14:20-14:21
# CHECK:   v27 = binary - v25, v26  @ 14:16-14:21
# CHECK:   v28 = const 0  @ 14:25-14:26
# CHECK:   v29 = compare > v27, v28  @ 14:10-14:26
# CHECK:   branch v29 b15(v27, v25) b18()  @ 14:10-14:26
# CHECK: b15(v30:d, v31:c):
# CHECK:   v32 = const 0  @ 15:19-15:20
# CHECK:   v33 = compare != v30, v32  @ 15:14-15:20
# CHECK:   branch v33 b16() b17()  @ 15:14-15:20
# CHECK: b16():
# CHECK:   v34 = const 2  @ 16:21-16:22
# CHECK:   v35 = binary // v30, v34  @ 16:16-16:22
# CHECK:   v36 = const 1  @ 17:17-17:18
# CHECK:   v37 = binary -= v31, v36  @ 17:12-17:18
# CHECK:   jump b15(v35, v37)  @ 17:12-17:13
# CHECK: b17():
# CHECK:   v38 = const 1  @ 18:13-18:14
# CHECK:   v39 = binary -= v31, v38  @ 18:8-18:14
# CHECK:   jump b14(v39)  @ 18:8-18:9
# CHECK: b18():
# CHECK:   v40 = const 0  @ 19:8-19:9
# CHECK:   v41 = name range  @ 20:13-20:18
# CHECK:   v42 = const 2  @ 20:19-20:20
# CHECK:   v43 = call v41(v42)  @ 20:13-20:21
# CHECK:   v44 = iter v43  @ 20:4-23:18
# CHECK:   v45 = iterstart v44  @ 20:4-23:18
# CHECK:   jump b19(v45, v25, v40)  @ 20:4-23:18
# CHECK: b19(v46, v47:c, v48:e):
# CHECK:   v49 = iterhas v44, v46  @ 20:4-23:18
# CHECK:   branch v49 b20() b27()  @ 20:4-23:18
# CHECK: b20():
# CHECK:   v50 = iteritem v44, v46  @ 20:4-23:18
# CHECK:   v51 = iternext v44, v46  @ 20:4-23:18
# CHECK:   jump b21(v48, v47)  @ 20:8-20:9
# CHECK: b21(v52:e, v53:c):
# CHECK:   v54 = const 0  @ 21:24-21:25
# CHECK:   v55 = compare > v50, v54  @ 21:20-21:25
# CHECK:   branch v55 b22() b23()  @ 21:20-21:25
# CHECK: b22():
# CHECK:   jump b24(v52)  @ 21:15-21:16
# CHECK: b23():
# CHECK:   jump b24(v53)  @ 21:31-21:32
# CHECK: b24(v56):
# CHECK:   v57 = binary + v1, v50  @ 21:36-21:41
# CHECK:   v58 = compare < v56, v57  @ 21:14-21:41
# CHECK:   branch v58 b25() b26()  @ 21:14-21:41
# CHECK: b25():
# CHECK:   v59 = const 1  @ 22:17-22:18
# CHECK:   v60 = binary += v52, v59  @ 22:12-22:18
# CHECK:   v61 = const 2  @ 23:17-23:18
# CHECK:   v62 = binary += v53, v61  @ 23:12-23:18
# CHECK:   jump b21(v60, v62)  @ 23:12-23:13
# CHECK: b26():
# CHECK:   jump b19(v51, v53, v52)
# CHECK: b27():
# CHECK:   v63 = tuple v17, v47, v27, v48  @ 24:11-24:21
# CHECK:   return v63  @ 24:4-24:21
# RUN: f(4, 9) == PYTHON
# RUN: f(9, 40) == PYTHON
# RUN: f(0, 0) == PYTHON
