# SHOW: bytecode
def f(g, x):
    return g(x, 1, scale=x[0])

# CHECK: bytecode f 3.11 tests/golden/bytecode/calls.py:2
# CHECK:      0  null                                   3:11-3:12
# CHECK:      1  load         g                         3:11-3:12
# CHECK:      2  load         x                         3:13-3:14
# CHECK:      3  const        1                         3:16-3:17
# CHECK:      4  load         x                         3:25-3:26
# CHECK:      5  const        0                         3:27-3:28
# CHECK:      6  getitem                                3:25-3:29
# CHECK:      7  const        ("scale",)                3:11-3:30
# CHECK:      8  callkw       3                         3:11-3:30
# CHECK:      9  return                                 3:4-3:30
