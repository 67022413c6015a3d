# FOR: (int)
# Strings are constants: nothing of them is left.
def f(n):
    name = "ab" + "c" * 2
    return len(name) + n if "bc" in name and name[1] == "b" else 0

# CHECK: f(n: i32) -> i32
# CHECK: b0(v0: i32):
# CHECK:   jump b1                                   5:28-40
# CHECK: b1():
# CHECK:   jump b2                                   5:45-59
# CHECK: b2():
# CHECK:   v2: i32 = const 4                         5:11-24
# CHECK:   v3: i32 = add v2, v0                      5:11-24
# CHECK:   jump b3(v3)                               5:11-24
# CHECK: b3(v1: i32):
# CHECK:   return v1                                 5:4-66
