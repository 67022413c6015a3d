# FUNCTION: f
# FOR: (int)
# From 31 pieces on CPython joins a list.
def f(x):
    s = f"{x}{1}{2}{3}{4}{5}{6}{7}{8}{9}{1}{2}{3}{4}{5}{6}{7}{8}{9}{1}{2}{3}{4}{5}{6}{7}{8}{9}{1}{2}{3}{4}{'a' if x else 'a'}"
    assert x, s
    return len(f"{0}{1}{2}{3}{4}{5}{6}{7}{8}{9}{1}{2}{3}{4}{5}{6}{7}{8}{9}{1}{2}{3}{4}{5}{6}{7}{8}{9}{1}{2}{3}{4}") + len("+".join(("a", "b")))

# CHECK: f(x: i32) -> i32
# CHECK: b0(v0: i32):
# CHECK:   v1: bool = convert v0                     5:107-124
# CHECK:   branch v1, b1, b2                         5:107-124
# CHECK: b1():
# CHECK:   jump b3                                   5:107-110
# CHECK: b2():
# CHECK:   jump b3                                   5:121-124
# CHECK: b3():
# CHECK:   v2: bool = convert v0                     6:4-15
# CHECK:   branch v2, b4, b5                         6:4-15
# CHECK: b4():
# CHECK:   v3: i32 = const 35                        7:4-143
# CHECK:   return v3                                 7:4-143
# CHECK: b5():
# CHECK:   raise 0 v0                                6:4-15
# CHECK:
# CHECK: site 0 raise AssertionError at f "tests/golden/typing/long_string.py" 6, i32 "", "1234567891234567891234567891234a"
# RUN: f(7) == 35
