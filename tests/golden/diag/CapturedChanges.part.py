# KERNEL: yes
# FOR: (float32[:], float32x3, float32x3)
def f(out, r, v):
    def inner():
        return r.x + out[0]

    out[0] = 1  # an element of an array: no variable changes
    r.x = 3  #! E0123 'r' gets another value
    out[1] = r.x
    out[2] = inner()
    last = lambda: v[2]
    v[2] += 1  #! E0123 'v' gets another value
    out[3] = last()
    late = lambda: v[2]
    out[4] = late()

# CHECK: error[E0123]: 'r' gets another value while a function that uses it is still in use
# CHECK:   --> tests/golden/diag/CapturedChanges.part.py:8:5
# CHECK:    |
# CHECK: 4  |     def inner():
# CHECK:    |     ------------... this function uses it
# CHECK: ...
# CHECK: 8  |     r.x = 3  #! E0123 'r' gets another value
# CHECK:    |     ^^^
# CHECK: ...
# CHECK: 10 |     out[2] = inner()
# CHECK:    |              ------- and is used again here
# CHECK:    = help: pass the value as an argument, or make the function after the assignment
# CHECK:
# CHECK: error[E0123]: 'v' gets another value while a function that uses it is still in use
# CHECK:   --> tests/golden/diag/CapturedChanges.part.py:12:5
# CHECK:    |
# CHECK: 11 |     last = lambda: v[2]
# CHECK:    |            ------------ this function uses it
# CHECK: 12 |     v[2] += 1  #! E0123 'v' gets another value
# CHECK:    |     ^^^^
# CHECK: 13 |     out[3] = last()
# CHECK:    |              ------ and is used again here
# CHECK:    = help: pass the value as an argument, or make the function after the assignment
