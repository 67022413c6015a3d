# FOR: (int)
# `lib` is device.cxx("inline int near(int x) { return x; }\ninline int near(int x, int y);"), which a recording cannot hold.
def f(x):
    return lib.near(x, x, x)  #! E0322 C++ does not take this call of 'near': no matching function for call to 'near'

# CHECK: error[E0322]: C++ does not take this call of 'near': no matching function for call to 'near'
# CHECK:   --> tests/golden/diag/CxxCall.py:4:12
# CHECK:    |
# CHECK: 4  |     return lib.near(x, x, x)  #! E0322 C++ does not take this call of 'near': no matching function for call to 'near'
# CHECK:    |            ^^^^^^^^^^^^^^^^^
# CHECK:    = note: C++:2:12: candidate function not viable: requires 2 arguments, but 3 were provided
# CHECK:    = note: C++:1:12: candidate function not viable: requires single argument 'x', but 3 arguments were provided
# CHECK:    = help: write a call that C++ takes with arguments of these types (docs/interop.md)
