# FOR: (float64[::1], float)
# KERNEL: yes
def scale(x, a):
    x[0] = x[0] * a  #! W0711 the Python float 'a' of the launch is rounded to float32 before it meets float64

# CHECK: warning[W0711]: the Python float 'a' of the launch is rounded to float32 before it meets float64
# CHECK:   --> tests/golden/diag/RoundedFloat.py:4:19
# CHECK:    |
# CHECK: 4  |     x[0] = x[0] * a  #! W0711 the Python float 'a' of the launch is rounded to float32 before it meets float64
# CHECK:    |                   ^
# CHECK:    = help: annotate the parameter, 'a: device.float64', or pass a numpy.float64
# CHECK: 3  + def scale(x, a: device.float64):

# EDITED: compiles
# EDITED FOR: (float64[::1], float64)
