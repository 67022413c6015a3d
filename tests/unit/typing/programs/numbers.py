"""Arithmetic, constants, comparisons; compiled and run by programs_test.cpp (README.md)."""

import math

import numpy
from hetjit import device


def first():
    """Takes the place of the function under test: number 0 of the program."""


# ---- arithmetic (HET-PROM, HET-NUM)

#: (int, int)  7 -2 -> (i32, i32, f32) (-4, -1, -3.5)
#: (int, int)  -7 2 -> (i32, i32, f32) (-4, 1, -3.5)
#: (int, int)  5 0 -> (i32, i32, f32) (0, 0, inf)
#: (int8, int8)  -128 -1 -> (i8, i8, f32) (-128, 0, 128)
#: (uint8, uint8)  200 7 -> (u8, u8, f32) (28, 4, 28.571428)
#: (int64, int64)  -9 4 -> (i64, i64, f32) (-3, 3, -2.25)
#: (float, float)  7.5 -2 -> (f32, f32, f32) (-4, -0.5, -3.75)
#: (float64, int)  7.5 2 -> (f64, f64, f64) (3, 1.5, 3.75)
#: (int32, float)  7 2 -> (f32, f32, f32) (3, 1, 3.5)
#: (bool, bool)  1 1 -> (i32, i32, f32) (1, 0, 1)
#! (uint64, int64)  E0204 cannot apply '//' to uint64 and int64
#! (bool_, bool_)  E0206 '//' is arithmetic
#! (complex, complex)  E0201 cannot apply '//' to complex and complex
#! (float8e4m3, float8e4m3)  E0201 cannot apply '//' to float8e4m3 and float8e4m3
def divisions(a, b):
    return a // b, a % b, a / b


#: (int)  2147483647 -> i32 -2147483648
#: (int8)  127 -> i8 -128
#: (uint8)  255 -> u8 0
#: (uint64)  18446744073709551615 -> u64 0
#: (int64)  2147483647 -> i64 2147483648
#: (float16)  0.5 -> f16 1.5
#: (bfloat16)  0.5 -> bf16 1.5
#: (bool)  1 -> i32 2
#: (bool_)  1 -> i32 2
#! (float8e4m3)  E0201 cannot apply '+' to float8e4m3 and int
def plus_one(a):
    return a + 1


#: (int8, int)  100 300 -> i8 -112
#: (uint8, int)  1 -1 -> u8 0
#: (int8, uint8)  -1 255 -> i16 254
#: (int16, uint32)  -1 1 -> i64 0
#: (float16, bfloat16)  1.5 2 -> f32 3.5
#: (float16, int64)  1.5 2 -> f16 3.5
#: (float, int64)  1.5 2 -> f32 3.5
#: (float, float64)  1.5 2 -> f64 3.5
#: (float, bool_)  1.5 1 -> f32 2.5
#: (int, bool_)  1 1 -> i32 2
#: (uint64, int)  1 -1 -> u64 0
#! (int, float8e5m2)  E0201 convert first: device.float32(x)
#! (float32[:], float32[:])  E0208 '+' does not work on whole arrays
def add(a, b):
    return a + b


#: (int, int)  5 3 -> (i32, i32, i32) (1, 7, 6)
#: (bool, bool)  1 0 -> (bool, bool, bool) (0, 1, 1)
#: (bool_, bool)  1 1 -> (bool, bool, bool) (1, 1, 0)
#: (bool, int)  1 6 -> (i32, i32, i32) (0, 7, 7)
#: (uint16, uint8)  256 255 -> (u16, u16, u16) (0, 511, 511)
#! (float, int)  E0201 cannot apply '&' to float and int
def bits(a, b):
    return a & b, a | b, a ^ b


#: (int, int)  1 31 -> (i32, i32) (-2147483648, 0)
#: (int, int)  -8 40 -> (i32, i32) (0, -1)
#: (int, int)  -8 1 -> (i32, i32) (-16, -4)
#: (int, int)  -8 -1 -> (i32, i32) (0, 0)
#: (uint8, int)  200 1 -> (u8, u8) (144, 100)
#: (bool, int)  1 3 -> (i32, i32) (8, 0)
#: (int64, int)  1 40 -> (i64, i64) (1099511627776, 0)
#! (int, float)  E0201 '<<' works on integers
def shifts(a, n):
    return a << n, a >> n


#: (int8)  3 -> (i8, i8) (0, 0)
#: (int64)  3 -> (i64, i64) (0, 0)
#: (int8)  -3 -> (i8, i8) (0, -1)
def shift_far(a):
    return a << 200, a >> 200


#! (int)  E0503 cannot shift by -1
def shift_back(a):
    return a >> -1


#: (int)  5 -> (i32, i32, i32, bool) (-5, 5, -6, 0)
#: (int8)  -128 -> (i8, i8, i8, bool) (-128, -128, 127, 0)
#: (uint8)  1 -> (u8, u8, u8, bool) (255, 1, 254, 0)
#: (bool)  1 -> (i32, i32, i32, bool) (-1, 1, -2, 0)
#! (float)  E0203 cannot apply '~' to float
#! (bool_)  E0206 '-' is arithmetic
def unary(a):
    return -a, +a, ~a, not a


#: (bool_)  1 -> bool 0
def invert(a):
    return ~a


#: (float)  0.0 -> (f32, bool) (-0, 1)
#: (float16)  2.5 -> (f16, bool) (-2.5, 0)
def negative(a):
    return -a, not a


#: (int)  7 -> i32 49
#: (int8)  12 -> i8 -112
#: (float)  1.5 -> f32 2.25
#: (float64)  1.5 -> f64 2.25
#: (float16)  3 -> f16 9
#: (bool)  1 -> i32 1
def squared(a):
    return a ** 2


#: (int)  3 -> (i32, i32, i32, i32) (1, 3, 27, 1594323)
#: (int8)  3 -> (i8, i8, i8, i8) (1, 3, 27, -45)
#: (int64)  -2 -> (i64, i64, i64, i64) (1, -2, -8, -8192)
#: (float)  2 -> (f32, f32, f32, f32) (1, 2, 8, 8192)
def powers(a):
    return a ** 0, a ** 1, a ** 3, a ** 13


#: (int)  4 -> (f32, f32) (0.25, 2)
#: (float64)  4 -> (f64, f64) (0.25, 2)
#: (int64)  4 -> (f32, f32) (0.25, 2)
def inverse_powers(a):
    return a ** -1, a ** 0.5


#: (int, int)  2 10 -> f32 1024
#: (int, float64)  2 0.5 -> f64 1.4142135623730951
#: (float, int)  2 3 -> f32 8
#! (bool_, bool_)  E0206 '**' is arithmetic
def power(a, b):
    return a ** b


#! (int8)  E0501 300 does not fit in int8
#: (int16)  1 -> i16 301
#: (float16)  1 -> f16 301
def three_hundred(a):
    return a + 300


#: (int64)  1 -> i64 3000000001
#: (uint32)  1 -> u32 3000000001
#: (float64)  1 -> f64 3000000001
#! (int)  E0501 3000000000 does not fit in int
def three_billion(a):
    return a + 3000000000


#! (uint8)  E0501 -1 does not fit in uint8
#: (int8)  5 -> i8 4
def plus_minus_one(a):
    return a + -1


#! (int64)  E0502 does not fit in 64 bits
def huge(a):
    return a + 100000000000000000000


# ---- constants and floats keep what was written

SCALE = 0.1
WIDTH = 16
FLAG = False
NAME = "fast"
SIZES = (3, 4.5)
SMALL = numpy.int8(7)
WIDE = numpy.float64(0.1)


#: (float64)  1 -> f64 0.1
#: (float)  1 -> f32 0.1
def scaled(x):
    return x * SCALE


#: (float64)  1 -> f64 0.6283185307179586
def folded(x):
    a = SCALE
    return x * (2 * math.pi * a)


#: (float64)  1 -> f64 0.30000000000000004
def sum_of_literals(x):
    a = 0.1
    b = 0.2
    return x * (a + b)


#: (int8)  1 -> (i8, f64) (8, 1.1)
#: (float)  1 -> (f32, f64) (8, 1.1)
def fixed_globals(x):
    return x + SMALL, x + WIDE


#: (int)  5 -> i32 5
#: (float)  5 -> f32 5
def dead_branch(x):
    if FLAG:
        return x.nothing
    if NAME == "slow":
        return undefined_name
    if WIDTH > 20 or WIDTH != 16:
        x = None
    return x


#: (int)  2 -> (i32, f32, i32) (3, 4.5, 2)
def constant_tuple(i):
    return SIZES[0], SIZES[-1], len(SIZES)


#: ()  -> (i32, i32, i32, i32, bool) (-4, 3, 3, 1024, 1)
def integer_folding():
    a = 7
    b = -2
    return a // b, a % 4, a & 3, 1 << 10, a > b


#! ()  E0501 2147483648 does not fit in int
def folded_overflow():
    a = 2147483647
    return a + 1


# ---- comparison and truth

#: (int, int)  1 2 -> (bool, bool, bool, bool, bool, bool) (1, 1, 0, 1, 0, 0)
#: (float, int)  nan 2 -> (bool, bool, bool, bool, bool, bool) (0, 0, 0, 1, 0, 0)
#: (int8, uint8)  -1 255 -> (bool, bool, bool, bool, bool, bool) (1, 1, 0, 1, 0, 0)
#: (bool, bool)  0 1 -> (bool, bool, bool, bool, bool, bool) (1, 1, 0, 1, 0, 0)
#! (uint64, int64)  E0204 cannot apply '<' to uint64 and int64
#! (complex64, complex64)  E0205 cannot compare complex64 and complex64
def comparisons(a, b):
    return a < b, a <= b, a == b, a != b, a > b, a >= b


#: (int, int, int)  1 2 3 -> bool 1
#: (int, int, int)  1 3 3 -> bool 0
#: (float, int, int64)  1.5 2 9 -> bool 1
def chained(a, b, c):
    return a < b < c


#: (int, int)  0 5 -> (i32, i32, bool) (0, 5, 1)
#: (int, float64)  3 5 -> (f64, f64, bool) (5, 3, 0)
def short_circuit(a, b):
    return a and b, a or b, not a


#: (float)  nan -> bool 1
#: (float)  0 -> bool 0
#: (int64)  4294967296 -> bool 1
#! (float32[:])  E0207 is neither true nor false
def to_bool(x):
    return bool(x)


#: (int)  3 -> (bool, bool, bool, bool) (0, 1, 1, 0)
#: (none)  0 -> (bool, bool, bool, bool) (1, 0, 0, 1)
def none_tests(x):
    return x is None, x is not None, x != None, x == None  # noqa: E711


#! (int, int)  E0213 'is' compares int and int
def identity(a, b):
    return a is b


#: (int)  4 -> (bool, bool) (1, 0)
#: (float)  4 -> (bool, bool) (1, 0)
#: (int)  7 -> (bool, bool) (0, 1)
def membership(x):
    return x in (1, 2, 4), x not in (1, 2, 4)


#: (int, float)  1 2.5 -> (bool, bool, bool) (1, 0, 1)
def tuple_equality(a, b):
    return (a, b) == (1, 2.5), (a, b) != (a, b), (a,) != (a, b)
