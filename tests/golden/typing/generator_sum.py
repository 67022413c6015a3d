# FOR: (int, int)
def f(n, k):
    return sum(i * k for i in range(n) if i != 2)

# CHECK: f(n: i32, k: i32) -> i32
# CHECK: b0(v0: i32, v1: i32):
# CHECK:   v2: i32 = const 0                         3:14-49
# CHECK:   v3: u32 = convert v0                      3:14-49
# CHECK:   v4: u32 = convert v2                      3:14-49
# CHECK:   v5: u32 = sub v3, v4                      3:14-49
# CHECK:   v6: bool = compare lt v2, v0              3:14-49
# CHECK:   v7: u32 = const 0                         3:14-49
# CHECK:   v8: u32 = select v6, v5, v7               3:14-49
# CHECK:   v9: i32 = const 0                         3:11-49
# CHECK:   v10: i32 = call 1 v0, v8, v9, v1          3:11-49
# CHECK:   return v10                                3:4-49
# CHECK:
# CHECK: <genexpr>(.0.0: i32, .0.1: u32, start: i32, k: i32) -> i32
# CHECK: b0(v0: i32, v1: u32, v2: i32, v3: i32):
# CHECK:   v6: u32 = const 0                         @1 3:14-49
# CHECK:   jump b1(v6, v2)                           @1 3:14-49
# CHECK: b1(v4: u32, v5: i32):
# CHECK:   v7: bool = compare lt v4, v1              @1 3:14-49
# CHECK:   branch v7, b2, b4                         @1 3:14-49
# CHECK: b2():
# CHECK:   v8: i32 = convert v4                      @1 3:14-49
# CHECK:   v9: u32 = const 1                         @1 3:14-49
# CHECK:   v10: u32 = add v4, v9                     @1 3:14-49
# CHECK:   v11: i32 = const 2                        @1 3:42-48
# CHECK:   v12: bool = compare ne v8, v11            @1 3:42-48
# CHECK:   branch v12, b3, b1(v10, v5)               @1 3:42-48
# CHECK: b3():
# CHECK:   v13: i32 = mul v8, v3                     @1 3:15-20
# CHECK:   v14: i32 = add v5, v13                    @1 3:42-48
# CHECK:   jump b1(v10, v14)                         @1 3:42-48
# CHECK: b4():
# CHECK:   return v5                                 @1 3:14-49
# RUN: f(5, 3) == PYTHON
# RUN: f(0, 3) == PYTHON
