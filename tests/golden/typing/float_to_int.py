# SHOW: typed
# FOR: (float64)
def f(x):
    return int(x)

# CHECK: f(x: f64) -> i32
# CHECK: b0(v0: f64):
# CHECK:   v1: i32 = convert v0                      4:11-17
# CHECK:   return v1                                 4:4-17
# RUN: f(float64(-2.9)) == -2
# RUN: f(float64(1e30)) == 2147483647
# RUN: f(float64(nan)) == 0
