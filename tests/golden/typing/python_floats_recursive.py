# A recursive function has one instance for literals and for what it makes of them.
# SHOW: optimized
# FOR: (float64, int)
# ONLY: func|fn|call
def halved(v, k, n):
    if n == 0:
        return v * k
    return halved(v, k * 0.5, n - 1)


def f(x, n):
    return halved(x, 0.1, n) + halved(x, 0.7, n)

# CHECK:   v5: f64 = call 1 v0, v2, v3, v1, v4       12:11-28
# CHECK:   v9: f64 = call 1 v0, v6, v7, v1, v8       12:31-48
# CHECK:   v18: f64 = call 1 v0, v11, v13, v15, v17  @1 8:11-36
# RUN: f(float64(1.7), 3) == PYTHON
