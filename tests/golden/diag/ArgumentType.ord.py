# KERNEL: yes
# FOR: (int32[:])
def f(a):
    a[0] = ord("ab")  #! E0212 'ord' takes a constant text of one character, not 'ab'

# CHECK: error[E0212]: 'ord' takes a constant text of one character, not str
# CHECK:   --> tests/golden/diag/ArgumentType.ord.py:4:16
# CHECK:    |
# CHECK: 4  |     a[0] = ord("ab")  #! E0212 'ord' takes a constant text of one character, not 'ab'
# CHECK:    |                ^^^^
# CHECK:    = help: convert the argument, or index it where it is an array
