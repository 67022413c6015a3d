# FOR: (int, float)
def f(a, b):
    squares = [x * x for x in (a, b)]
    first, second = tuple(x + i for i, x in enumerate(squares) if i < 5)
    return (first, second)

# CHECK: f(a: i32, b: f32) -> (i32, f32)
# CHECK: b0(v0: i32, v1: f32):
# CHECK:   v2: (i32, f32) = call 1 v0, v1            3:14-37
# CHECK:   v3: i32 = extract 0 v2                    3:14-37
# CHECK:   v4: f32 = extract 1 v2                    3:14-37
# CHECK:   v5: (i32, f32) = call 2 v3, v4            4:20-72
# CHECK:   v6: i32 = extract 0 v5                    4:20-72
# CHECK:   v7: f32 = extract 1 v5                    4:20-72
# CHECK:   v8: (i32, f32) = tuple v6, v7             5:4-26
# CHECK:   return v8                                 5:4-26
# CHECK:
# CHECK: <listcomp>(.0.0: i32, .0.1: f32) -> (i32, f32)
# CHECK: b0(v0: i32, v1: f32):
# CHECK:   jump b1                                   @1 3:14-37
# CHECK: b1():
# CHECK:   jump b2                                   @1 3:14-37
# CHECK: b2():
# CHECK:   v6: i32 = mul v0, v0                      @1 3:15-20
# CHECK:   jump b3                                   @1 3:14-37
# CHECK: b3():
# CHECK:   jump b4                                   @1 3:14-37
# CHECK: b4():
# CHECK:   v7: f32 = mul v1, v1                      @1 3:15-20
# CHECK:   jump b5(v6, v7)                           @1 3:14-37
# CHECK: b5(v2: i32, v3: f32):
# CHECK:   jump b6(v2, v3)                           @1 3:14-37
# CHECK: b6(v4: i32, v5: f32):
# CHECK:   v8: (i32, f32) = tuple v4, v5             @1 3:14-37
# CHECK:   return v8                                 @1 3:14-37
# CHECK:
# CHECK: <genexpr>(.0.0: i32, .0.1: f32) -> (i32, f32)
# CHECK: b0(v0: i32, v1: f32):
# CHECK:   jump b1                                   @2 4:25-72
# CHECK: b1():
# CHECK:   jump b2                                   @2 4:25-72
# CHECK: b2():
# CHECK:   jump b3                                   @2 4:66-71
# CHECK: b3():
# CHECK:   v7: i32 = const 0                         @2 4:26-31
# CHECK:   v8: i32 = add v0, v7                      @2 4:26-31
# CHECK:   jump b4(v8)                               @2 4:66-71
# CHECK: b4(v2: i32):
# CHECK:   jump b5                                   @2 4:25-72
# CHECK: b5():
# CHECK:   jump b6                                   @2 4:66-71
# CHECK: b6():
# CHECK:   v9: f32 = constf 1.0                      @2 4:26-31
# CHECK:   v10: f32 = add v1, v9                     @2 4:26-31
# CHECK:   jump b7(v2, v10)                          @2 4:66-71
# CHECK: b7(v3: i32, v4: f32):
# CHECK:   jump b8(v3, v4)                           @2 4:25-72
# CHECK: b8(v5: i32, v6: f32):
# CHECK:   v11: (i32, f32) = tuple v5, v6            @2 4:25-72
# CHECK:   return v11                                @2 4:25-72
# RUN: f(3, 0.5) == PYTHON
