# SHOW: bytecode
def f(n):
    total = 0
    for i in range(n):
        if i == 3:
            continue
        total += i
    return total

# CHECK: bytecode f 3.11 tests/golden/bytecode/loop.py:2
# CHECK:      0  const        0                         3:12-3:13
# CHECK:      1  store        total                     3:4-3:9
# CHECK:      2  null                                   4:13-4:18
# CHECK:      3  global       range                     4:13-4:18
# CHECK:      4  load         n                         4:19-4:20
# CHECK:      5  call         1                         4:13-4:21
# CHECK:      6  iter                                   4:4-7:18
# CHECK: >    7  for          -> 19                     4:4-7:18
# CHECK:      8  store        i                         4:8-4:9
# CHECK:      9  load         i                         5:11-5:12
# CHECK:     10  const        3                         5:16-5:17
# CHECK:     11  compare      ==                        5:11-5:17
# CHECK:     12  iffalse      -> 14                     5:11-5:17
# CHECK:     13  jump         -> 7                      6:12-6:20
# CHECK: >   14  load         total                     7:8-7:13
# CHECK:     15  load         i                         7:17-7:18
# CHECK:     16  inplace      +                         7:8-7:18
# CHECK:     17  store        total                     7:8-7:13
# CHECK:     18  jump         -> 7                      7:8-7:13
# CHECK: >   19  load         total                     8:11-8:16
# CHECK:     20  return                                 8:4-8:16
