# SHOW: ssa
def f(x):
    assert x > 0
    assert x < 10, "large"
    if x == 5:
        raise ValueError
    return x

# CHECK: function f source 0
# CHECK:   parameters x
# CHECK:   locals x
# CHECK:   name ValueError = builtin(builtins.ValueError)
# CHECK:   name <builtins.AssertionError> = builtin(builtins.AssertionError)
# CHECK: b0(v0:x):
# CHECK:   v1 = const 0  @ 3:15-3:16
# CHECK:   v2 = compare > v0, v1  @ 3:11-3:16
# CHECK:   branch v2 b1() b6()  @ 3:11-3:16
# CHECK: b1():
# CHECK:   v3 = const 10  @ 4:15-4:17
# CHECK:   v4 = compare < v0, v3  @ 4:11-4:17
# CHECK:   branch v4 b2() b5()  @ 4:11-4:17
# CHECK: b2():
# CHECK:   v5 = const 5  @ 5:12-5:13
# CHECK:   v6 = compare == v0, v5  @ 5:7-5:13
# CHECK:   branch v6 b3() b4()  @ 5:7-5:13
# CHECK: b3():
# CHECK:   v7 = name ValueError  @ 6:14-6:24
# CHECK:   raise v7  @ 6:8-6:24
# CHECK: b4():
# CHECK:   return v0  @ 7:4-7:12
# CHECK: b5():
# CHECK:   v8 = name <builtins.AssertionError>  @ 4:11-4:17
# CHECK:   v9 = const "large"  @ 4:19-4:26
# CHECK:   v10 = call v8(v9)  @ 4:11-4:17
# CHECK:   raise v10  @ 4:11-4:17
# CHECK: b6():
# CHECK:   v11 = name <builtins.AssertionError>  @ 3:11-3:16
# CHECK:   raise v11  @ 3:11-3:16
