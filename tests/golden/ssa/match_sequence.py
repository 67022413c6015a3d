# SHOW: ssa
def f(a, b):
    match (a, b):
        case (0, 0):
            return 0
        case (0, y):
            return y
        case (x, 1 | 2) if x > 0:
            return -x
        case (x, *rest):
            return x + rest[0]
    return 99

# CHECK: function f source 0
# CHECK:   parameters a b
# CHECK:   locals a b y x rest
# CHECK:   name <hetjit.is_sequence> = builtin(hetjit.is_sequence)
# CHECK:   name <builtins.len> = builtin(builtins.len)
# CHECK: b0(v0:a, v1:b):
# CHECK:   v2 = tuple v0, v1  @ 3:10-3:16
# CHECK:   v3 = name <hetjit.is_sequence>  @ 4:13-4:19
# CHECK:   v4 = call v3(v2)  @ 4:13-4:19
# CHECK:   branch v4 b1() b5()  @ 4:13-4:19
# CHECK: b1():
# CHECK:   v5 = name <builtins.len>  @ 4:13-4:19
# CHECK:   v6 = call v5(v2)  @ 4:13-4:19
# CHECK:   v7 = const 2  @ 4:13-4:19
# CHECK:   v8 = compare == v6, v7  @ 4:13-4:19
# CHECK:   branch v8 b2() b5()  @ 4:13-4:19
# CHECK: b2():
# CHECK:   v9 = unpack 0 of 2 v2  @ 4:13-4:19
# CHECK:   v10 = unpack 1 of 2 v2  @ 4:13-4:19
# CHECK:   v11 = const 0  @ 4:14-4:15
# CHECK:   v12 = compare == v9, v11  @ 4:14-4:15
# CHECK:   branch v12 b3() b5()  @ 4:14-4:15
# CHECK: b3():
# CHECK:   v13 = const 0  @ 4:17-4:18
# CHECK:   v14 = compare == v10, v13  @ 4:17-4:18
# CHECK:   branch v14 b4() b6()  @ 4:17-4:18
# CHECK: b4():
# CHECK:   v15 = const 0  @ 5:19-5:20
# CHECK:   return v15  @ 5:19-5:20
# CHECK: b5():
# CHECK:   jump b6()  @ 4:13-4:19
# CHECK: b6():
# CHECK:   v16 = name <hetjit.is_sequence>  @ 6:13-6:19
# CHECK:   v17 = call v16(v2)  @ 6:13-6:19
# CHECK:   branch v17 b7() b10()  @ 6:13-6:19
# CHECK: b7():
# CHECK:   v18 = name <builtins.len>  @ 6:13-6:19
# CHECK:   v19 = call v18(v2)  @ 6:13-6:19
# CHECK:   v20 = const 2  @ 6:13-6:19
# CHECK:   v21 = compare == v19, v20  @ 6:13-6:19
# CHECK:   branch v21 b8() b10()  @ 6:13-6:19
# CHECK: b8():
# CHECK:   v22 = unpack 0 of 2 v2  @ 6:13-6:19
# CHECK:   v23 = unpack 1 of 2 v2  @ 6:13-6:19
# CHECK:   v24 = const 0  @ 6:14-6:15
# CHECK:   v25 = compare == v22, v24  @ 6:14-6:15
# CHECK:   branch v25 b9() b10()  @ 6:14-6:15
# CHECK: b9():
# CHECK:   return v23  @ 7:12-7:20
# CHECK: b10():
# CHECK:   v26 = name <hetjit.is_sequence>  @ 8:13-8:23
# CHECK:   v27 = call v26(v2)  @ 8:13-8:23
# CHECK:   branch v27 b11() b19()  @ 8:13-8:23
# CHECK: b11():
# CHECK:   v28 = name <builtins.len>  @ 8:13-8:23
# CHECK:   v29 = call v28(v2)  @ 8:13-8:23
# CHECK:   v30 = const 2  @ 8:13-8:23
# CHECK:   v31 = compare == v29, v30  @ 8:13-8:23
# CHECK:   branch v31 b12() b19()  @ 8:13-8:23
# CHECK: b12():
# CHECK:   v32 = unpack 0 of 2 v2  @ 8:13-8:23
# CHECK:   v33 = unpack 1 of 2 v2  @ 8:13-8:23
# CHECK:   v34 = const 1  @ 8:17-8:18
# CHECK:   v35 = compare == v33, v34  @ 8:17-8:18
# CHECK:   branch v35 b13() b14()  @ 8:17-8:18
# CHECK: b13():
# CHECK:   jump b16()  @ 8:17-8:18
# CHECK: b14():
# CHECK:   v36 = const 2  @ 8:21-8:22
# CHECK:   v37 = compare == v33, v36  @ 8:21-8:22
# CHECK:   branch v37 b15() b18()  @ 8:21-8:22
# CHECK: b15():
# CHECK:   jump b16()  @ 8:21-8:22
# CHECK: b16():
# CHECK:   v38 = const 0  @ 8:31-8:32
# CHECK:   v39 = compare > v32, v38  @ 8:27-8:32
# CHECK:   branch v39 b17() b20()  @ 8:27-8:32
# CHECK: b17():
# CHECK:   v40 = unary - v32  @ 9:19-9:21
# CHECK:   return v40  @ 9:12-9:21
# CHECK: b18():
# CHECK:   jump b19()  @ 8:21-8:22
# CHECK: b19():
# CHECK:   jump b20()  @ 8:13-8:23
# CHECK: b20():
# CHECK:   v41 = name <hetjit.is_sequence>  @ 10:13-10:23
# CHECK:   v42 = call v41(v2)  @ 10:13-10:23
# CHECK:   branch v42 b21() b23()  @ 10:13-10:23
# CHECK: b21():
# CHECK:   v43 = name <builtins.len>  @ 10:13-10:23
# CHECK:   v44 = call v43(v2)  @ 10:13-10:23
# CHECK:   v45 = const 1  @ 10:13-10:23
# CHECK:   v46 = compare >= v44, v45  @ 10:13-10:23
# CHECK:   branch v46 b22() b23()  @ 10:13-10:23
# CHECK: b22():
# CHECK:   v47 = unpackstar 1 to 0 v2  @ 10:13-10:23
# CHECK:   v48 = const 0  @ 10:13-10:23
# CHECK:   v49 = getitem v2, v48  @ 10:13-10:23
# CHECK:   v50 = list v47  @ 10:13-10:23
# CHECK:   v51 = const 0  @ 11:28-11:29
# CHECK:   v52 = getitem v50, v51  @ 11:23-11:30
# CHECK:   v53 = binary + v49, v52  @ 11:19-11:30
# CHECK:   return v53  @ 11:12-11:30
# CHECK: b23():
# CHECK:   v54 = const 99  @ 12:11-12:13
# CHECK:   return v54  @ 12:11-12:13
# RUN: f(0, 0) == PYTHON
# RUN: f(0, 7) == PYTHON
# RUN: f(5, 2) == PYTHON
# RUN: f(-5, 2) == PYTHON
