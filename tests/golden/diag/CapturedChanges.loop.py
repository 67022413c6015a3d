# FOR: (int, int)
def f(n, k):
    total = 0
    while k > 0:
        k = k - 1
        g = lambda: k  # made anew in each round
        total += g()
    last = lambda: n
    while total > 0:
        total -= last()
        n = n + 1  #! E0123 'n' gets another value
    pair = (lambda: total, 1)
    total = 3  #! E0123 'total' gets another value
    return pair[0]()

# CHECK: error[E0123]: 'n' gets another value while a function that uses it is still in use
# CHECK:   --> tests/golden/diag/CapturedChanges.loop.py:11:9
# CHECK:    |
# CHECK: 8  |     last = lambda: n
# CHECK:    |            --------- this function uses it
# CHECK: ...
# CHECK: 10 |         total -= last()
# CHECK:    |                  ------ and is used again here
# CHECK: 11 |         n = n + 1  #! E0123 'n' gets another value
# CHECK:    |         ^
# CHECK:    = help: pass the value as an argument, or make the function after the assignment
# CHECK:
# CHECK: error[E0123]: 'total' gets another value while a function that uses it is still in use
# CHECK:   --> tests/golden/diag/CapturedChanges.loop.py:13:5
# CHECK:    |
# CHECK: 12 |     pair = (lambda: total, 1)
# CHECK:    |             ------------- this function uses it
# CHECK: 13 |     total = 3  #! E0123 'total' gets another value
# CHECK:    |     ^^^^^
# CHECK: 14 |     return pair[0]()
# CHECK:    |            ------- and is used again here
# CHECK:    = help: pass the value as an argument, or make the function after the assignment
