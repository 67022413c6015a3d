# FOR: (float64[::1], float)
# KERNEL: yes
def scaled(v, k):
    return v * k


def scale(x, a):
    x[0] = scaled(x[0], a * 2.0)  #! W0711 the Python float 'a' of the launch is rounded to float32 before it meets float64

# CHECK: warning[W0711]: the Python float 'a' of the launch is rounded to float32 before it meets float64
# CHECK:   --> tests/golden/diag/RoundedFloat.passed.py:8:25
# CHECK:    |
# CHECK: 8  |     x[0] = scaled(x[0], a * 2.0)  #! W0711 the Python float 'a' of the launch is rounded to float32 before it meets float64
# CHECK:    |                         ^^^^^^^
# CHECK:    = help: annotate the parameter, 'a: device.float64', or pass a numpy.float64
# CHECK: 7  + def scale(x, a: device.float64):

# EDITED: compiles
# EDITED FOR: (float64[::1], float64)
