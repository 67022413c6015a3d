# SHOW: bytecode
def f(a, b):
    return a + b * 2

# CHECK: bytecode f 3.11 tests/golden/bytecode/straight_line.py:2
# CHECK:      0  load         a                         3:11-3:12
# CHECK:      1  load         b                         3:15-3:16
# CHECK:      2  const        2                         3:19-3:20
# CHECK:      3  binary       *                         3:15-3:20
# CHECK:      4  binary       +                         3:11-3:20
# CHECK:      5  return                                 3:4-3:20
