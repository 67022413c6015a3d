# FOR: (int)
# Two functions that call each other: inferred until the results stay, with a count of how deep they are.
def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def f(n):
    return even(n)

# CHECK: f(n: i32) -> bool
# CHECK: b0(v0: i32):
# CHECK:   v1: u32 = const 0                         12:11-18
# CHECK:   v2: bool = call 1 v0, v1                  12:11-18
# CHECK:   return v2                                 12:4-18
# CHECK:
# CHECK: even(n: i32, depth: u32) -> bool
# CHECK: b0(v0: i32, v1: u32):
# CHECK:   v2: u32 = const 128                       @1 4:24-25
# CHECK:   v3: bool = compare ge v1, v2              @1 4:24-25
# CHECK:   branch v3, b1, b2                         @1 4:24-25
# CHECK: b1():
# CHECK:   raise 0                                   @1 4:24-25
# CHECK: b2():
# CHECK:   v5: i32 = const 0                         @1 4:19-25
# CHECK:   v6: bool = compare eq v0, v5              @1 4:19-25
# CHECK:   branch v6, b3, b4                         @1 4:19-25
# CHECK: b3():
# CHECK:   v7: bool = const true                     @1 4:11-15
# CHECK:   jump b5(v7)                               @1 4:11-15
# CHECK: b4():
# CHECK:   v8: i32 = const 1                         @1 4:35-40
# CHECK:   v9: i32 = sub v0, v8                      @1 4:35-40
# CHECK:   v10: u32 = const 1                        @1 4:31-41
# CHECK:   v11: u32 = add v1, v10                    @1 4:31-41
# CHECK:   v12: bool = call 2 v9, v11                @1 4:31-41
# CHECK:   jump b5(v12)                              @1 4:31-41
# CHECK: b5(v4: bool):
# CHECK:   return v4                                 @1 4:4-41
# CHECK:
# CHECK: odd(n: i32, depth: u32) -> bool
# CHECK: b0(v0: i32, v1: u32):
# CHECK:   v2: u32 = const 128                       @2 8:25-26
# CHECK:   v3: bool = compare ge v1, v2              @2 8:25-26
# CHECK:   branch v3, b1, b2                         @2 8:25-26
# CHECK: b1():
# CHECK:   raise 1                                   @2 8:25-26
# CHECK: b2():
# CHECK:   v5: i32 = const 0                         @2 8:20-26
# CHECK:   v6: bool = compare eq v0, v5              @2 8:20-26
# CHECK:   branch v6, b3, b4                         @2 8:20-26
# CHECK: b3():
# CHECK:   v7: bool = const false                    @2 8:11-16
# CHECK:   jump b5(v7)                               @2 8:11-16
# CHECK: b4():
# CHECK:   v8: i32 = const 1                         @2 8:37-42
# CHECK:   v9: i32 = sub v0, v8                      @2 8:37-42
# CHECK:   v10: u32 = const 1                        @2 8:32-43
# CHECK:   v11: u32 = add v1, v10                    @2 8:32-43
# CHECK:   v12: bool = call 1 v9, v11                @2 8:32-43
# CHECK:   jump b5(v12)                              @2 8:32-43
# CHECK: b5(v4: bool):
# CHECK:   return v4                                 @2 8:4-43
# CHECK:
# CHECK: site 0 raise RecursionError at even "tests/golden/typing/recursion.py" 4, "maximum recursion depth exceeded"
# CHECK: site 1 raise RecursionError at odd "tests/golden/typing/recursion.py" 8, "maximum recursion depth exceeded"
# RUN: f(0) == PYTHON
# RUN: f(7) == PYTHON
# RUN: f(10) == PYTHON
