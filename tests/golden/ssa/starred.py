# SHOW: ssa
def f(a, b, c):
    first, *middle, last = a, b, c, a
    return last, middle[0], first + middle[1]

# CHECK: function f source 0
# CHECK:   parameters a b c
# CHECK:   locals a b c first middle last
# CHECK: b0(v0:a, v1:b, v2:c):
# CHECK:   v3 = tuple v0, v1, v2, v0  @ 3:27-3:37
# CHECK:   v4 = unpackstar 1 to 1 v3  @ 3:4-3:24
# CHECK:   v5 = const 0  @ 3:4-3:24
# CHECK:   v6 = getitem v3, v5  @ 3:4-3:24
# CHECK:   v7 = const -1  @ 3:4-3:24
# CHECK:   v8 = getitem v3, v7  @ 3:4-3:24
# CHECK:   v9 = list v4  @ 3:4-3:24
# CHECK:   v10 = const 0  @ 4:24-4:25
# CHECK:   v11 = getitem v9, v10  @ 4:17-4:26
# CHECK:   v12 = const 1  @ 4:43-4:44
# CHECK:   v13 = getitem v9, v12  @ 4:36-4:45
# CHECK:   v14 = binary + v6, v13  @ 4:28-4:45
# CHECK:   v15 = tuple v8, v11, v14  @ 4:11-4:45
# CHECK:   return v15  @ 4:4-4:45
# RUN: f(1, 2, 3) == PYTHON
