# SHOW: ssa
# FUNCTION: f
# From 16 keywords on CPython puts them into a dict, item by item.
def g(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, *, q=1):
    return a - b * c + d - e * f + g - h * i + j - k * l + m - n * o + p * q
def f(x):
    return g(p=1, o=2, n=3, m=4, l=5, k=6, j=7, i=8, h=9, g=10, f=11, e=x if x > 3 else 12, d=13, c=14, b=15, a=16, **{"q": x})

# CHECK: function f source 0
# CHECK:   parameters x
# CHECK:   locals x
# CHECK:   name g = function(1)
# CHECK: b0(v0:x):
# CHECK:   v1 = name g  @ 7:11-7:12
# CHECK:   v2 = const ()  @ 7:11-7:127
# CHECK:   v3 = const 1  @ 7:15-7:16
# CHECK:   v4 = const 2  @ 7:20-7:21
# CHECK:   v5 = const 3  @ 7:25-7:26
# CHECK:   v6 = const 4  @ 7:30-7:31
# CHECK:   v7 = const 5  @ 7:35-7:36
# CHECK:   v8 = const 6  @ 7:40-7:41
# CHECK:   v9 = const 7  @ 7:45-7:46
# CHECK:   v10 = const 8  @ 7:50-7:51
# CHECK:   v11 = const 9  @ 7:55-7:56
# CHECK:   v12 = const 10  @ 7:60-7:62
# CHECK:   v13 = const 11  @ 7:66-7:68
# CHECK:   v14 = const "e"  @ 7:11-7:127
# CHECK:   v15 = const 3  @ 7:81-7:82
# CHECK:   v16 = compare > v0, v15  @ 7:77-7:82
# CHECK:   v17 = tuple v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13  @ 7:77-7:82
# CHECK:   branch v16 b1() b2()  @ 7:77-7:82
# CHECK: b1():
# CHECK:   jump b3(v0)  @ 7:72-7:73
# CHECK: b2():
# CHECK:   v18 = const 12  @ 7:88-7:90
# CHECK:   jump b3(v18)  @ 7:88-7:90
# CHECK: b3(v19):
# CHECK:   v20 = const 13  @ 7:94-7:96
# CHECK:   v21 = const 14  @ 7:100-7:102
# CHECK:   v22 = const 15  @ 7:106-7:108
# CHECK:   v23 = const 16  @ 7:112-7:114
# CHECK:   v24 = const 0  @ 7:11-7:127
# CHECK:   v25 = getitem v17, v24  @ 7:11-7:127
# CHECK:   v26 = const 1  @ 7:11-7:127
# CHECK:   v27 = getitem v17, v26  @ 7:11-7:127
# CHECK:   v28 = const 2  @ 7:11-7:127
# CHECK:   v29 = getitem v17, v28  @ 7:11-7:127
# CHECK:   v30 = const 3  @ 7:11-7:127
# CHECK:   v31 = getitem v17, v30  @ 7:11-7:127
# CHECK:   v32 = const 4  @ 7:11-7:127
# CHECK:   v33 = getitem v17, v32  @ 7:11-7:127
# CHECK:   v34 = const 5  @ 7:11-7:127
# CHECK:   v35 = getitem v17, v34  @ 7:11-7:127
# CHECK:   v36 = const 6  @ 7:11-7:127
# CHECK:   v37 = getitem v17, v36  @ 7:11-7:127
# CHECK:   v38 = const 7  @ 7:11-7:127
# CHECK:   v39 = getitem v17, v38  @ 7:11-7:127
# CHECK:   v40 = const 8  @ 7:11-7:127
# CHECK:   v41 = getitem v17, v40  @ 7:11-7:127
# CHECK:   v42 = const 9  @ 7:11-7:127
# CHECK:   v43 = getitem v17, v42  @ 7:11-7:127
# CHECK:   v44 = const 10  @ 7:11-7:127
# CHECK:   v45 = getitem v17, v44  @ 7:11-7:127
# CHECK:   v46 = call v1(*v2, p=v25, o=v27, n=v29, m=v31, l=v33, k=v35, j=v37, i=v39, h=v41, g=v43, f=v45, e=v19, d=v20, c=v21, b=v22, a=v23, q=v0)  @ 7:11-7:127
# CHECK:   return v46  @ 7:4-7:127
# RUN: f(7) == PYTHON
# RUN: f(-2) == PYTHON
