"""Builtins, math, the device, whole kernels; compiled and run by programs_test.cpp (README.md)."""

import math

import numpy
from hetjit import device


def first():
    """Takes the place of the function under test: number 0 of the program."""


# ---- builtins

#: (int)  -7 -> (i32, i32, f32, bool) (7, -7, -7, 1)
#: (float)  -2.5 -> (f32, i32, f32, bool) (2.5, -2, -2.5, 1)
#: (float64)  3000000000.5 -> (f64, i32, f32, bool) (3000000000.5, 2147483647, 3e+09, 1)
#: (int64)  4294967297 -> (i64, i32, f32, bool) (4294967297, 1, 4294967296, 1)
#: (float)  nan -> (f32, i32, f32, bool) (nan, 0, nan, 1)
#: (uint8)  200 -> (u8, i32, f32, bool) (200, 200, 200, 1)
#: (int8)  -128 -> (i8, i32, f32, bool) (-128, -128, -128, 1)
def conversions(x):
    return abs(x), int(x), float(x), bool(x)


#: (float)  1e10 -> (i8, u8, i64, f64, f16) (127, 255, 10000000000, 1e+10, inf)
#: (int)  300 -> (i8, u8, i64, f64, f16) (44, 44, 300, 300, 300)
#: (float)  -1.5 -> (i8, u8, i64, f64, f16) (-1, 0, -1, -1.5, -1.5)
def casts(x):
    return device.int8(x), numpy.uint8(x), device.int64(x), numpy.float64(x), device.float16(x)


#! ()  E0501 300 does not fit in int8
def cast_too_large():
    return device.int8(300)


#: ()  -> (i64, f32, i8, i32, f32, bool) (3000000000, 0.1, 0, 0, 0, 0)
def cast_literals():
    return device.int64(3000000000), device.float32(0.1), device.int8(), int(), float(), bool()


#: (int, int)  3 5 -> (i32, i32, i32) (3, 5, 2)
#: (float, float)  nan 5 -> (f32, f32, f32) (nan, nan, 2)
#: (float, float)  5 nan -> (f32, f32, f32) (5, 5, 2)
#: (int, float64)  3 0.5 -> (f64, f64, f64) (0.5, 3, 2)
#! (uint64, int64)  E0204
#! (float32[:], int)  E0212 'min' takes real numbers
def extremes(a, b):
    return min(a, b), max(a, b), min((9, a * 0 + 2)) if a == a else max(2, b * 0 + 2)


#: (float)  2.5 -> (i32, i32, i32, i32) (2, 2, 3, 2)
#: (float)  -2.5 -> (i32, i32, i32, i32) (-2, -3, -2, -2)
#: (float64)  3.5 -> (i32, i32, i32, i32) (4, 3, 4, 3)
#: (int)  7 -> (i32, i32, i32, i32) (7, 7, 7, 7)
def roundings(x):
    return round(x), math.floor(x), math.ceil(x), math.trunc(x)


#: (float)  2.345 -> (f32, f32) (2.35, 0)
#: (float64)  1234.5678 -> (f64, f64) (1234.57, 1200)
def round_digits(x):
    return round(x, 2), round(x, ndigits=-2)


#: (float)  2.5 -> (f32, f32, f32, f32) (2, 2, 3, 2)
def numpy_roundings(x):
    return numpy.round(x), numpy.floor(x), device.ceil(x), numpy.trunc(x)


#: (int, int)  -7 2 -> ((i32, i32), f32, i32, i32, bool, bool) ((-4, 1), 49, 49, -8, 1, 0)
def more_builtins(a, b):
    return divmod(a, b), pow(a, b), pow(a, 2), sum((a, b, -3)), any((a, 0)), all((a, 0))


#: (int)  1 -> (bool, bool, bool, bool) (1, 0, 1, 0)
#: (float)  1 -> (bool, bool, bool, bool) (0, 1, 1, 0)
#: (int32)  1 -> (bool, bool, bool, bool) (0, 0, 0, 1)
#: (bool)  1 -> (bool, bool, bool, bool) (1, 0, 1, 0)
#: ((int32, int32))  (1,2) -> (bool, bool, bool, bool) (0, 0, 0, 0)
def instances(x):
    return isinstance(x, int), isinstance(x, float), isinstance(x, (int, float)), isinstance(x, numpy.int32)


#! (int)  E0311 'sorted' cannot be used
def unknown_builtin(n):
    return sorted(n)


#! (int)  E0310 'math.factorial' is not available
def unknown_math(n):
    return math.factorial(n)


#! (int)  E0304 'len' takes 1 argument, but 2 are given
def len_of_two(n):
    return len(n, n)


#! (int)  E0212 'len' takes an array, a tuple or a range, not int
def len_of_number(n):
    return len(n)


# ---- math

#: (float)  0.25 -> (f32, f32, f32) (0.5, 0.25, 0.25268024)
#: (float64)  0.25 -> (f64, f64, f64) (0.5, 0.25, 0.25268025514207865)
#: (int)  1 -> (f32, f32, f32) (1, 1, 1.5707964)
#: (float16)  0.25 -> (f16, f16, f16) (0.5, 0.25, 0.25268555)
#! (int64)  E0220 int64 and float32 do not become one type here
#! ((int32, int32))  E0212 'sqrt' takes real numbers, not tuple[int32, int32]
def functions(x):
    return math.sqrt(x), numpy.abs(x) if x == 2 else device.fabs(x), numpy.arcsin(x)


#: (float)  180 -> (f32, f32) (10313.24, 3.1415927)
#: (float64)  180 -> (f64, f64) (10313.240312354817, 3.141592653589793)
def angles(x):
    return math.degrees(x), numpy.deg2rad(x)


#: (float)  nan -> (bool, bool, bool, bool) (1, 0, 0, 0)
#: (float)  -inf -> (bool, bool, bool, bool) (0, 1, 0, 1)
#: (float64)  -0.0 -> (bool, bool, bool, bool) (0, 0, 1, 1)
#: (int)  -1 -> (bool, bool, bool, bool) (0, 0, 1, 1)
def classified(x):
    return math.isnan(x), numpy.isinf(x), device.isfinite(x), numpy.signbit(x)


#: (float, float)  nan 1 -> (f32, f32, f32, f32) (nan, nan, 1, 1)
#: (float, float)  1 nan -> (f32, f32, f32, f32) (nan, nan, 1, 1)
#: (int, int64)  1 2 -> (i64, i64, i64, i64) (1, 2, 1, 2)
def numpy_extremes(a, b):
    return numpy.minimum(a, b), numpy.maximum(a, b), numpy.fmin(a, b), numpy.fmax(a, b)


#: (int, int)  7 2 -> (i32, f32, i32, i32, bool, i32, i32) (9, 3.5, 3, 1, 0, -7, 49)
#: (int8, int8)  7 2 -> (i8, f32, i8, i8, bool, i8, i8) (9, 3.5, 3, 1, 0, -7, 49)
def numpy_operators(a, b):
    return (numpy.add(a, b), numpy.divide(a, b), numpy.floor_divide(a, b), numpy.mod(a, b),
            numpy.less(a, b), numpy.negative(a), numpy.square(a))


#: (float, float)  2 8 -> (f32, f32, f32, f32) (3, 8, 2, 256)
def two_arguments(a, b):
    return math.log(b, a), math.copysign(b, a), math.fmod(a, b), math.pow(a, b)


#: (float)  -2.5 -> (f32, f32, f32, f32) (-1, 0, -2, 6.25)
#: (int)  5 -> (i32, i32, f32, i32) (1, 3, 5, 25)
def numpy_more(x):
    return (numpy.sign(x), numpy.clip(x, 0, 3), numpy.where(x > 0, x, -2.0), numpy.square(x))


#: (float, float, float)  2 3 4 -> f32 10
#: (float64, int, float)  2 3 4 -> f64 10
def fused(a, b, c):
    return device.fma(a, b, c)


#! (float, int)  E0304 'sqrt' takes 1 argument, but 2 are given
def sqrt_of_two(a, b):
    return math.sqrt(a, b)


# ---- the device

#: ()  -> ((i32, i32), i32, u32, u32) ((0, 0), 1, 0, 1)
def places():
    x, y = device.tid(2)
    return (x, y), device.grid_size(1), device.thread_idx.x, device.block_dim[2]


#! (int)  E0505 the number of axes of 'tid' must be a constant
def places_of(n):
    return device.tid(n)


#! ()  E0506 'tid' takes 1, 2 or 3 axes, not 4
def places_of_four():
    return device.tid(4)


#! ()  E0309 uint32x3 has no attribute 'w'
def place_w():
    return device.thread_idx.w


# ---- kernels

def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]


def mandelbrot(counts, left, top, step, limit):
    x, y = device.tid(2)
    if x >= counts.shape[1] or y >= counts.shape[0]:
        return
    cr = left + x * step
    ci = top + y * step
    zr = zi = 0.0
    n = 0
    while n < limit:
        rr = zr * zr
        ii = zi * zi
        if rr + ii > 4.0:
            break
        zi = 2.0 * zr * zi + ci
        zr = rr - ii + cr
        n += 1
    counts[y, x] = n
