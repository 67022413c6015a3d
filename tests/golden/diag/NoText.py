# FOR: (float32[:])
def f(x):
    print("all of it:", x)  #! E0318 float32[:] has no text
