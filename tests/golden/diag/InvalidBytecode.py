# FOR: (int)
def f(x):  #! E0121 the bytecode of this function cannot be read
    return x

# CHECK: error[E0121]: the bytecode of this function cannot be read: malformed bytecode: too few words on the stack at code unit 1
# CHECK:   --> tests/golden/diag/InvalidBytecode.py:2:1
# CHECK:    |
# CHECK: 2  | def f(x):  #! E0121 the bytecode of this function cannot be read
# CHECK:    | ^^^^^
# CHECK:    = help: compile a function as Python made it: what rewrites bytecode may have broken this one
