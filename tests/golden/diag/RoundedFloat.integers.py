# FOR: (float64[::1], int)
# KERNEL: yes
def third(n):
    return n / 3


def store(x, n):
    x[0] = third(n)  #! W0711 a float computed of integers alone is rounded to float32 before it meets float64

# CHECK: warning[W0711]: a float computed of integers alone is rounded to float32 before it meets float64
# CHECK:   --> tests/golden/diag/RoundedFloat.integers.py:8:12
# CHECK:    |
# CHECK: 8  |     x[0] = third(n)  #! W0711 a float computed of integers alone is rounded to float32 before it meets float64
# CHECK:    |            ^^^^^^^^
# CHECK:    = help: convert one of them first: device.float64(n) / 3
