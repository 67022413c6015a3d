# SHOW: typed
# FOR: (float64[::1])
def total(x):
    acc = 0.0
    for i in range(len(x)):
        acc += x[i]
    return acc
