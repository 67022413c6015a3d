# FOR: (int, float)
def f(a, b):
    total = 0.0
    for i, x in enumerate((a, b, None, a)):
        if x is None:
            continue
        if i == 3:
            break
        total += x
    else:
        total = -1.0
    return total

# CHECK: f(a: i32, b: f32) -> f32
# CHECK: b0(v0: i32, v1: f32):
# CHECK:   jump b1                                   4:4-11:20
# CHECK: b1():
# CHECK:   jump b2                                   4:4-11:20
# CHECK: b2():
# CHECK:   jump b3                                   5:11-20
# CHECK: b3():
# CHECK:   jump b4                                   7:11-17
# CHECK: b4():
# CHECK:   v6: f32 = constf 0.0                      9:8-18
# CHECK:   v7: f32 = convert v0                      9:8-18
# CHECK:   v8: f32 = add v6, v7                      9:8-18
# CHECK:   jump b5(v8)                               9:8-13
# CHECK: b5(v2: f32):
# CHECK:   jump b6                                   4:4-11:20
# CHECK: b6():
# CHECK:   jump b7                                   5:11-20
# CHECK: b7():
# CHECK:   jump b8                                   7:11-17
# CHECK: b8():
# CHECK:   v9: f32 = add v2, v1                      9:8-18
# CHECK:   jump b9(v9)                               9:8-13
# CHECK: b9(v3: f32):
# CHECK:   jump b10                                  4:4-11:20
# CHECK: b10():
# CHECK:   jump b11                                  5:11-20
# CHECK: b11():
# CHECK:   jump b12(v3)                              6:12-20
# CHECK: b12(v4: f32):
# CHECK:   jump b13                                  4:4-11:20
# CHECK: b13():
# CHECK:   jump b14                                  5:11-20
# CHECK: b14():
# CHECK:   jump b15                                  7:11-17
# CHECK: b15():
# CHECK:   jump b16(v4)                              8:12-17
# CHECK: b16(v5: f32):
# CHECK:   return v5                                 12:4-16
# RUN: f(3, 0.5) == PYTHON
