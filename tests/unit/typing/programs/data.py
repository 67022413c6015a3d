"""Arrays and calls; compiled and run by programs_test.cpp (README.md)."""

import numpy
from hetjit import device


def first():
    """Takes the place of the function under test: number 0 of the program."""


# ---- arrays

#: (float32[:], int)  [1.5,2.5,3.5] 1 -> f32 2.5
#: (float32[:], int)  [1.5,2.5,3.5] -1 -> f32 3.5
#: (int8[:], uint8)  [1,2,3] 2 -> i8 3
#: (bool[:], int64)  [1,0,1] -3 -> bool 1
#: (float16[:], int)  [1.5,2.5] 0 -> f16 1.5
#: (float32[::1], int)  [1.5,2.5,3.5] -2 -> f32 2.5
#: (array[float32, 1, index32], int)  [1.5,2.5,3.5] -2 -> f32 2.5
#: (array[float32, 1, index32], uint64)  [1.5,2.5,3.5] 1 -> f32 2.5
#! (float32[:], float)  E0402 an index is an integer, not float
#! (float32[:], bool)  E0402 an index is an integer, not bool
#! (float32[:, :], int)  E0219 'element' returns float32[:], which cannot leave a compiled function
#! (float, int)  E0218 float cannot be indexed
def element(a, i):
    return a[i]


#: (int32[:, :], int, int)  [[1,2,3],[4,5,6]] 1 2 -> (i32, i32) (6, 4)
#: (int32[:, ::1], int, int)  [[1,2,3],[4,5,6]] -2 -1 -> (i32, i32) (3, 4)
#: (array[int32, 2, contiguous, index32], uint8, int)  [[1,2,3],[4,5,6]] 0 1 -> (i32, i32) (2, 4)
#! (int32[:], int, int)  E0401 an array of 1 dimension takes 1 index, but 2 are given
def element_2d(a, i, j):
    return a[i, j], a[-1, 0]


#: (int32[:, :])  [[1,2,3],[4,5,6]] -> ((i64, i64), i32, i64, i64, i64, i64) ((2, 3), 2, 6, 2, 3, 1)
def array_attributes(a):
    return a.shape, a.ndim + 0, a.size, len(a), a.strides[0], a.strides[1]


#: (float32[:, :])  [[1,2]] -> (bool, bool, f32) (1, 0, 7)
def array_dtype(a):
    return a.dtype == numpy.float32, a.dtype == device.float64, a.dtype(7)


#! (float32[:])  E0405 arrays have no 'flags'
def array_flags(a):
    return a.flags


#! (float32[:])  E0309 has no attribute 'shpae'
def array_misspelt(a):
    return a.shpae[0]


#: (float32[:], int)  [1,2,3] 5 -> f32 5
#: (float64[:], float)  [1,2,3] 0.5 -> f64 0.5
#: (int8[:], int)  [1,2,3] 300 -> i8 44
#: (int8[:], int64)  [1,2,3] 300 -> i8 44
#: (bool[:], bool)  [0,0,0] 1 -> bool 1
#: (float16[:], float64)  [1,2,3] 0.1 -> f16 0.099975586
#! (int32[:], float)  E0404 cannot store float in an array of int32
#! (bool[:], int)  E0404 cannot store int in an array of bool
#! (array[float32, 1, readonly], int)  E0403 cannot store to a read-only array
#! (float32[:], none)  E0404 cannot store None in an array of float32
def store(a, v):
    a[1] = v
    return a[1]


#! (int8[:])  E0501 300 does not fit in int8
#: (int16[:])  [1] -> i16 300
def store_literal(a):
    a[0] = 300
    return a[0]


#: (float32[:])  [1,2,3] -> (f32, f32) (2.5, 6)
#: (int32[:])  [7,2,3] -> (i32, i32) (0, 6)
#! (uint8[:])  E0501 -7 does not fit in uint8
def augmented(a):
    if a.dtype == numpy.int32:
        a[0] += -7
    elif a.dtype == numpy.uint8:
        a[0] += -7
    else:
        a[0] += 1.5
    a[-1] *= 2
    return a[0], a[-1]


#! (float32[:])  E0219 'slices' returns float32[:]
def slices(a):
    return a[1:3]


#: (float32[:])  [1,2,3] -> f32 6
def row_sum(a):
    total = 0.0
    for i in range(len(a)):
        total += a[i]
    return total


# ---- calls

def scale(x, by=2.0, *, offset=0):
    return x * by + offset


#: (int)  3 -> (f32, i32, f32, f32) (6, 12, 7, 2.5)
#: (float64)  3 -> (f64, f64, f64, f64) (6, 12, 7, 2.5)
def calls(x):
    return scale(x), scale(x, 4), scale(x, offset=1), scale(by=0.5, x=x, offset=1)


#: (float64)  1 -> f64 0.1
def default_stays_exact(x):
    def times(v, by=0.1):
        return v * by
    return times(x)


#! (float)  E0304 'scale' takes 1 to 2 arguments, but 3 are given
def too_many(x):
    return scale(x, 1, 2)


#! (float)  E0305 'scale' needs an argument for 'x'
def too_few(x):
    return scale(by=x)


#! (float)  E0306 'scale' has no parameter 'ofset'
def misspelt(x):
    return scale(x, ofset=1)


#! (float)  E0307 'scale' gets two values for 'x'
def twice(x):
    return scale(x, x=1)


def total_of(*values):
    total = 0
    for v in values:
        total += v
    return total, len(values)


#: (int)  4 -> ((i32, i32), (i32, i32), (f32, i32)) ((0, 0), (9, 2), (5.5, 2))
def star_arguments(n):
    t = (n, 1.5)
    return total_of(), total_of(n, 5), total_of(*t)


def apply(f, *arguments):
    return f(*arguments)


#: (int)  3 -> (i32, i32, i32, f32) (9, 8, 103, 1.5)
def functions_as_values(n):
    k = 100
    return apply(lambda a: a * a, n), apply(max, n, 8), apply(lambda a: a + k, n), apply(abs, -1.5)


#: (int, int)  2 10 -> (i32, i32) (12, 20)
def closures(a, b):
    def add_b(x):
        return x + b

    def twice_b():
        return add_b(b)
    return add_b(a), twice_b()


def make_adder(n):
    return lambda x: x + n


#: (int, float)  1 2.5 -> f32 3.5
def returned_closure(a, b):
    return make_adder(b)(a)


def minmax(a, b):
    if a < b:
        return a, b
    return b, a


#: (int, float64)  3 0.5 -> (f64, f64) (0.5, 3)
#: (int, int)  3 5 -> (i32, i32) (3, 5)
def tuple_result(a, b):
    low, high = minmax(a, b)
    return low, high


def annotated(n: device.int64):
    return n * n


#: (int)  100000 -> i64 10000000000
#: (int64)  3 -> i64 9
#! (float)  E0212 the parameter 'n' of 'annotated' takes int64, not float
def wide_parameter(n):
    return annotated(n)


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


#: (int)  5 -> i32 120
def recursion(n):
    return factorial(n)


def ping(n):
    return pong(n)


def pong(n):
    return ping((n, 1))


#! (int)  E0312 calls itself
def endless(n):
    return ping(n)


def bad_sum(a, b):
    return a + b


#! (float32[:])  E0208 '+' does not work on whole arrays
def error_in_callee(a):
    return bad_sum(a, a) + bad_sum(a, a)


def with_statement(x):
    with x:
        return 1


#! (int)  E0316 'with_statement' cannot be compiled: 'try' and 'with' are not supported
def broken_callee(x):
    return with_statement(x)


#! (int)  E0303 int cannot be called
def call_number(x):
    return x(1)


WEIGHTS = [1, 2, 3]


#! (int)  E0311 'WEIGHTS' cannot be used in a compiled function
def opaque(i):
    return WEIGHTS[i]


#! (int)  E0301 'WIDHT' is not defined
def misspelt_global(i):
    return i + WIDHT
