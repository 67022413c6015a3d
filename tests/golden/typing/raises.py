# FOR: (float, int)
# An exception ends a thread: `raise` is a terminator, its site a line at the end. A constant condition decides.
def f(x, n):
    assert n is not None, "not compiled"
    assert x >= 0, f"{x:.2f} of {n}"
    if n > 3:
        raise IndexError("too many")
    return x

# CHECK: f(x: f32, n: i32) -> f32
# CHECK: b0(v0: f32, v1: i32):
# CHECK:   jump b1                                   4:11-24
# CHECK: b1():
# CHECK:   v2: f32 = constf 0.0                      5:11-17
# CHECK:   v3: bool = compare ge v0, v2              5:11-17
# CHECK:   branch v3, b2, b5                         5:11-17
# CHECK: b2():
# CHECK:   v4: i32 = const 3                         6:7-12
# CHECK:   v5: bool = compare gt v1, v4              6:7-12
# CHECK:   branch v5, b3, b4                         6:7-12
# CHECK: b3():
# CHECK:   raise 0                                   7:8-36
# CHECK: b4():
# CHECK:   return v0                                 8:4-12
# CHECK: b5():
# CHECK:   raise 1 v0, v1                            5:11-17
# CHECK:
# CHECK: site 0 raise IndexError at f "tests/golden/typing/raises.py" 7, "too many"
# CHECK: site 1 raise AssertionError at f "tests/golden/typing/raises.py" 5, f32 ".2f", " of ", i32 ""
