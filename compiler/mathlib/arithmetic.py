"""What the families share: polynomials, sums and products in two parts, powers of two.

Everything here and in the families is written without branches (np.where computes both sides), with the fused
multiply-adds spelled out: the same operations for one thread as for the lanes of a vector.
"""

import numpy as np

from hetjit import device

ROUND_F32 = 12582912.0            # 1.5 * 2**23: a float32 added to it is rounded to a whole number, held in the low bits
ROUND_F64 = 6755399441055744.0    # 1.5 * 2**52


def horner(x, first, *rest):
    """first + x * (...): one chain."""
    if len(rest) == 0:
        return x.dtype(first)
    return device.fma(horner(x, *rest), x, first)


def every_other(y, first, *rest):
    if len(rest) < 2:
        return y.dtype(first)
    return device.fma(every_other(y, *rest[1:]), y, first)


def polynomial(x, first, *rest):
    """first + x * (...), even and odd powers in two chains that run side by side."""
    y = x * x
    return device.fma(every_other(y, *rest), x, every_other(y, first, *rest))


def fast_two_sum(a, b):
    """(s, e), s + e = a + b exactly, s rounded. |a| >= |b|, or a = 0."""
    s = a + b
    return s, (a - s) + b


def two_sum(a, b):
    """The same in any order."""
    s = a + b
    back = s - a
    return s, (a - (s - back)) + (b - back)


def two_product(a, b):
    """(p, e), p + e = a * b exactly."""
    p = a * b
    return p, device.fma(a, b, -p)


def between(x, low, high):
    """x, not below low and not above high; NaN stays."""
    x = np.where(x < low, x.dtype(low), x)
    return np.where(x > high, x.dtype(high), x)


def scaled_f32(x, n):
    """x * 2**n, rounded once, for a whole n with |n| <= 250 in a float32. In two steps: 2**n itself may not exist."""
    half = device.fma(n, 0.5, ROUND_F32)
    rest = (n - (half - ROUND_F32)) + ROUND_F32
    one = device.int32(0x3F800000)
    return x * ((half.view(device.int32) << 23) + one).view(device.float32) * (
        (rest.view(device.int32) << 23) + one).view(device.float32)


def scaled_f64(x, n):
    """The same in float64, |n| <= 2000."""
    half = device.fma(n, 0.5, ROUND_F64)
    rest = (n - (half - ROUND_F64)) + ROUND_F64
    one = device.int64(0x3FF0000000000000)
    return x * ((half.view(device.int64) << 52) + one).view(device.float64) * (
        (rest.view(device.int64) << 52) + one).view(device.float64)


def power_of_two_f64(n):
    """2**n of a whole n in a float64, for normal results."""
    return (((n + ROUND_F64).view(device.int64) << 52) + device.int64(0x3FF0000000000000)).view(device.float64)


def with_sign_f32(x, sign):
    return (x.view(device.uint32) | (sign.view(device.uint32) & device.uint32(0x80000000))).view(device.float32)


def with_sign_f64(x, sign):
    return (x.view(device.uint64) | (sign.view(device.uint64) & device.uint64(0x8000000000000000))).view(device.float64)
