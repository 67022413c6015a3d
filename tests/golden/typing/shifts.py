# SHOW: typed
# FOR: (int32, int32)
# FOR: (uint8, int)
def f(a, n):
    return (a << n) ^ (a >> n)
# RUN: f(int32(-5), int32(40)) == int32(-1)
# RUN: f(int32(1), int32(31)) == int32(-2147483648)
# RUN: f(uint8(255), 4) == uint8(255)
