# FOR: (float32[:, ::1], int)
def f(z, i):
    return z[i, i, i]  #! E0401 takes
