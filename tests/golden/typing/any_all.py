# FOR: (int, int)
def f(n, k):
    return any(i == k for i in range(n)), all(i < k for i in range(n)), min(i + k for i in range(2))

# CHECK: f(n: i32, k: i32) -> (bool, bool, i32)
# CHECK: b0(v0: i32, v1: i32):
# CHECK:   v2: i32 = const 0                         3:14-40
# CHECK:   v3: u32 = convert v0                      3:14-40
# CHECK:   v4: u32 = convert v2                      3:14-40
# CHECK:   v5: u32 = sub v3, v4                      3:14-40
# CHECK:   v6: bool = compare lt v2, v0              3:14-40
# CHECK:   v7: u32 = const 0                         3:14-40
# CHECK:   v8: u32 = select v6, v5, v7               3:14-40
# CHECK:   v9: bool = call 1 v0, v8, v1              3:11-40
# CHECK:   v10: i32 = const 0                        3:45-70
# CHECK:   v11: u32 = convert v0                     3:45-70
# CHECK:   v12: u32 = convert v10                    3:45-70
# CHECK:   v13: u32 = sub v11, v12                   3:45-70
# CHECK:   v14: bool = compare lt v10, v0            3:45-70
# CHECK:   v15: u32 = const 0                        3:45-70
# CHECK:   v16: u32 = select v14, v13, v15           3:45-70
# CHECK:   v17: bool = call 2 v0, v16, v1            3:42-70
# CHECK:   v18: (i32, i32) = call 3 v1               3:72-100
# CHECK:   v19: i32 = extract 0 v18                  3:72-100
# CHECK:   v20: i32 = extract 1 v18                  3:72-100
# CHECK:   v21: bool = compare lt v20, v19           3:72-100
# CHECK:   v22: i32 = select v21, v20, v19           3:72-100
# CHECK:   v23: (bool, bool, i32) = tuple v9, v17, v22  3:4-100
# CHECK:   return v23                                3:4-100
# CHECK:
# CHECK: <genexpr>(.0.0: i32, .0.1: u32, k: i32) -> bool
# CHECK: b0(v0: i32, v1: u32, v2: i32):
# CHECK:   v5: u32 = const 0                         @1 3:14-40
# CHECK:   v6: bool = const false                    @1 3:14-40
# CHECK:   jump b1(v5, v6)                           @1 3:14-40
# CHECK: b1(v3: u32, v4: bool):
# CHECK:   v7: bool = compare lt v3, v1              @1 3:14-40
# CHECK:   branch v7, b2, b3                         @1 3:14-40
# CHECK: b2():
# CHECK:   v8: i32 = convert v3                      @1 3:14-40
# CHECK:   v9: u32 = const 1                         @1 3:14-40
# CHECK:   v10: u32 = add v3, v9                     @1 3:14-40
# CHECK:   v11: bool = compare eq v8, v2             @1 3:15-21
# CHECK:   v12: bool = or v4, v11                    @1 3:14-40
# CHECK:   jump b1(v10, v12)                         @1 3:14-40
# CHECK: b3():
# CHECK:   return v4                                 @1 3:14-40
# CHECK:
# CHECK: <genexpr>.1(.0.0: i32, .0.1: u32, k: i32) -> bool
# CHECK: b0(v0: i32, v1: u32, v2: i32):
# CHECK:   v5: u32 = const 0                         @2 3:45-70
# CHECK:   v6: bool = const true                     @2 3:45-70
# CHECK:   jump b1(v5, v6)                           @2 3:45-70
# CHECK: b1(v3: u32, v4: bool):
# CHECK:   v7: bool = compare lt v3, v1              @2 3:45-70
# CHECK:   branch v7, b2, b3                         @2 3:45-70
# CHECK: b2():
# CHECK:   v8: i32 = convert v3                      @2 3:45-70
# CHECK:   v9: u32 = const 1                         @2 3:45-70
# CHECK:   v10: u32 = add v3, v9                     @2 3:45-70
# CHECK:   v11: bool = compare lt v8, v2             @2 3:46-51
# CHECK:   v12: bool = and v4, v11                   @2 3:45-70
# CHECK:   jump b1(v10, v12)                         @2 3:45-70
# CHECK: b3():
# CHECK:   return v4                                 @2 3:45-70
# CHECK:
# CHECK: <genexpr>.1(k: i32) -> (i32, i32)
# CHECK: b0(v0: i32):
# CHECK:   jump b1                                   @3 3:75-100
# CHECK: b1():
# CHECK:   jump b2                                   @3 3:75-100
# CHECK: b2():
# CHECK:   v5: u32 = const 0                         @3 3:75-100
# CHECK:   v6: i32 = convert v5                      @3 3:75-100
# CHECK:   v7: i32 = const 0                         @3 3:76-81
# CHECK:   v8: i32 = add v7, v0                      @3 3:76-81
# CHECK:   jump b3                                   @3 3:75-100
# CHECK: b3():
# CHECK:   jump b4                                   @3 3:75-100
# CHECK: b4():
# CHECK:   v9: u32 = const 1                         @3 3:75-100
# CHECK:   v10: i32 = convert v9                     @3 3:75-100
# CHECK:   v11: i32 = const 1                        @3 3:76-81
# CHECK:   v12: i32 = add v11, v0                    @3 3:76-81
# CHECK:   jump b5(v8, v12)                          @3 3:75-100
# CHECK: b5(v1: i32, v2: i32):
# CHECK:   jump b6(v1, v2)                           @3 3:75-100
# CHECK: b6(v3: i32, v4: i32):
# CHECK:   v13: (i32, i32) = tuple v3, v4            @3 3:75-100
# CHECK:   return v13                                @3 3:75-100
# RUN: f(5, 3) == PYTHON
# RUN: f(5, 9) == PYTHON
# RUN: f(0, 0) == PYTHON
