# FOR: (float, int)
# Constant text is joined while compiling; run-time numbers are the operands.
def f(x, n):
    print("n is", n, end=";")
    print((n, "a", (x,)), f"{x:8.3f}|{1}|{n!s:>4}")

# CHECK: f(x: f32, n: i32) -> none
# CHECK: b0(v0: f32, v1: i32):
# CHECK:   print 0 v1                                4:4-29
# CHECK:   print 1 v1, v0, v0, v1                    5:4-51
# CHECK:   v2: none = none                           5:4-51
# CHECK:   return v2                                 5:4-51
# CHECK:
# CHECK: site 0 print at f "tests/golden/typing/prints.py" 4, "n is ", i32 "", ";"
# CHECK: site 1 print at f "tests/golden/typing/prints.py" 5, "(", i32 "", ", 'a', (", f32 "", ",)) ", f32 "8.3f", "|1|", i32 str ">4", "\0a"
