# SHOW: typed
# FOR: (float64)
def f(x):
    return round(x)

# CHECK: f(x: f64) -> i32
# CHECK: b0(v0: f64):
# CHECK:   v1: f64 = math RoundEven v0               4:11-19
# CHECK:   v2: i32 = convert v1                      4:11-19
# CHECK:   return v2                                 4:4-19
# RUN: f(float64(2.5)) == 2
# RUN: f(float64(-3.5)) == -4
