"""Paths that join, loops, tuples; compiled and run by programs_test.cpp (README.md)."""

from hetjit import device


def first():
    """Takes the place of the function under test: number 0 of the program."""


# ---- where paths join

#: (bool, float)  1 2.5 -> f32 2.5
#: (bool, float)  0 2.5 -> f32 1
#: (bool, float64)  0 0.1 -> f64 1
#: (bool, int64)  1 9 -> i64 9
def literal_joins(c, x):
    y = 1
    if c:
        y = x
    return y


#! (bool, int8)  E0501 300 does not fit in int8
#: (bool, int16)  0 7 -> i16 300
def large_literal_joins(c, x):
    y = 300
    if c:
        y = x
    return y


# In whatever order they come, a float and several integers of one format.
#: (int, int8)  0 5 -> f32 5
#: (int, int8)  1 5 -> f32 0.5
#: (int, int8)  2 5 -> f32 5
def three_paths(c, x):
    if c == 0:
        y = x
    elif c == 1:
        y = 0.5
    else:
        y = x
    return y


#: (float64[:], int)  [0.1,0.2,0.3] 3 -> f64 0.6000000000000001
#: (float32[:], int)  [0.1,0.2,0.3] 3 -> f32 0.6
#: (int32[:], int)  [1,2,3] 3 -> f32 6
#! (complex64[:], float64)  E0212 'range' takes integers
def accumulate(a, n):
    total = 0.0
    for i in range(n):
        total += a[i]
    return total


#: (int64[:])  [1,2,3] -> i64 6
#: (uint8[:])  [100,100,100] -> u8 44
#: (float16[:])  [1,2,3] -> f16 6
def sum_all(a):
    total = 0
    for x in a:
        total = total + x
    return total


#! (bool, int64, float64)  E0202 'y' is int64 on one path and float64 on another
#! (bool, int32, int64)  E0202 'y' is int32 on one path and int64 on another
#: (bool, int, float64)  1 3 0.5 -> f64 3
#: (bool, float32, int)  0 3 2 -> f32 2
def two_types(c, a, b):
    if c:
        y = a
    else:
        y = b
    return y


#! (bool)  E0302 'y' may be used before it is assigned
def unbound(c):
    if c:
        y = 1
    return y


#! (int)  E0302 'last' may be used before it is assigned
def unbound_after_loop(n):
    for i in range(n):
        last = i
    return last


#! (int)  E0302 'last' may be used before it is assigned
def unbound_in_ternary(n):
    for i in range(4):
        last = i
    return last if n else 0


#: (bool)  1 -> i32 1
def unused_disagreement(c):
    if c:
        y = 1
    else:
        y = (1, 2)
    y = 1
    return y


#: (int)  3 -> (i32, i32) (5, 3)
def swap_in_loop(n):
    a, b = 3, 5
    for _ in range(n):
        a, b = b, a
    return a, b


#: (int)  3 -> (f32, i32) (4, 1)
def widening_in_loop(n):
    a, b = 1, 1
    for _ in range(n):
        a = a + 1.0 * b
    return a, b


#! (int)  E0210 'returns' returns int on one path and tuple[int, int] on another
def returns(n):
    if n:
        return n
    return n, n


#: (int)  1 -> f32 1
#: (int)  0 -> f32 0.5
def returns_numbers(n):
    if n:
        return n
    return 0.5


# ---- loops

#: (int, int, int)  0 10 3 -> (i32, i32) (18, 4)
#: (int, int, int)  10 0 -3 -> (i32, i32) (22, 4)
#: (int, int, int)  0 10 0 -> (i32, i32) (0, 0)
#: (int, int, int)  5 5 1 -> (i32, i32) (0, 0)
#: (int, int, int)  5 0 1 -> (i32, i32) (0, 0)
#: (int, int, int)  -2147483648 2147483647 2147483647 -> (i32, i32) (-3, 3)
#: (int64, int, int)  0 10 3 -> (i64, i32) (18, 4)
#: (uint8, uint8, uint8)  250 255 2 -> (u8, i32) (244, 3)
#: (int8, int8, int8)  -128 127 100 -> (i8, i32) (-84, 3)
#! (float, int, int)  E0212 'range' takes integers, not float
def ranges(start, stop, step):
    total, count = 0, 0
    for i in range(start, stop, step):
        total, count = total + i, count + 1
    return total, count


#: (int)  5 -> (i32, i32, i32) (10, 15, 9)
def range_forms(n):
    a = b = c = 0
    for i in range(n):
        a += i
    for i in range(n, 0, -1):
        b += i
    for i in range(1, n + 1, 2):
        c += i
    return a, b, c


#! (int)  E0504 the step of a range cannot be 0
def range_of_no_step(n):
    for i in range(0, n, 0):
        n += i
    return n


#: (int)  10 -> i32 12
def break_and_continue(n):
    total = 0
    for i in range(n):
        if i % 2:
            continue
        if i > 6:
            break
        total += i
    return total


#: (int)  7 -> (i32, i32) (1, 0)
#: (int)  9 -> (i32, i32) (0, 3)
def loop_else(n):
    for d in range(2, n):
        if n % d == 0:
            found = d
            break
    else:
        return 1, 0
    return 0, found


#: (int)  27 -> i32 111
def collatz(n):
    steps = 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps


#: (int)  3 -> i32 9
def nested(n):
    total = 0
    for i in range(n):
        j = 0
        while j < n:
            j += 1
            if j == 3 and i == 7:
                break
            total += 1
    return total


#: (int)  4 -> f32 10.5
def loop_over_tuple(n):
    total = 0
    for x in (1, 2.5, n + 3):
        total += x
    return total


#! (int)  E0217 cannot iterate over int
def loop_over_number(n):
    for i in n:
        n += i
    return n


#: (int)  3 -> i32 3
def walrus(n):
    count = 0
    while (m := n - count) > 0:
        count += 1 if m else 2
    return count


#: (int)  2 -> (i32, i32, i32) (20, 30, 10)
#: (int)  0 -> (i32, i32, i32) (20, 30, 10)
def if_chain(n):
    def pick(k):
        if k == 0:
            return 10
        elif k == 1:
            return 20
        else:
            return 30
    return pick(1), pick(n + 5), pick(0)


#: (int)  3 -> i32 3
def asserts(n):
    assert n > 0
    return n


# ---- tuples

#: (int, float)  1 2 -> (f32, i32, (i32, f32)) (2, 1, (1, 2))
def tuples(a, b):
    t = (a, b)
    x, y = t
    return y, x, t


#: (int)  1 -> (i32, i32, i32, i32) (1, 4, 3, 5)
def starred(a):
    first_item, *middle, last = (a, 2, 3, 4, 5)
    return first_item, middle[-1], len(middle), last


#: (int)  7 -> (i32, i32, i32, i32) (2, 3, 7, 6)
def tuple_pieces(a):
    t = (1, 2, 3) + (a,)
    u = t[1:3]
    return u[0], u[1], t[-1], len(t[::-1] + (0,) * 2)


#! (int)  E0216 cannot unpack a tuple of 3 items into 2 targets
def unpack_too_many(a):
    x, y = a, a, a
    return x + y


#! (int)  E0215 cannot unpack int
def unpack_number(a):
    x, y = a
    return x + y


#! (int)  E0407 index 2 is out of range for a tuple of 2 items
def tuple_out_of_range(a):
    return (a, a)[2]


#! (int)  E0406 the index of a tuple must be a constant, not int
def tuple_run_time_index(a):
    return (a, 2.5)[a]


#! (int)  E0408 the items of tuple[int, int] cannot be assigned
def tuple_assignment(a):
    t = (a, a)
    t[0] = 1
    return t


#: ((int32, float32))  (3,0.5) -> (f32, i32) (0.5, 3)
def tuple_parameter(t):
    return t[1], t[0]
