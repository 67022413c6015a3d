# FOR: (float32[:])
def f(x):
    print("all of it:", x)  #! E0318 float32[:] has no text

# CHECK: error[E0318]: float32[:] has no text in a compiled function
# CHECK:   --> tests/golden/diag/NoText.py:3:25
# CHECK:    |
# CHECK: 3  |     print("all of it:", x)  #! E0318 float32[:] has no text
# CHECK:    |                         ^
# CHECK:    |                         - this is float32[:], from the argument 'x'
# CHECK:    = help: numbers, strings, tuples and vectors have a text; print an element: print(x[i])
