"""log, log2, log10, log1p: x = m * 2**k with m in [sqrt(1/2), sqrt(2)), log(x) = k*log(2) + log(m).

float32: log(1 + f) by a polynomial in f = m - 1. float64: by s = f / (2 + f), log(m) = 2 * atanh(s), whose series in
s**2 is short. The first terms are kept in two parts, so that what is added last is rounded once.
"""

import math

import numpy as np

from hetjit import device

from arithmetic import fast_two_sum, polynomial, two_product, two_sum
from coefficients import (ATANH_F64, ATANH_LONG, ATANH_SHORT, LN2_F32, LN2_F64, LOG10_2_F32, LOG10_2_F64, LOG10_E_F32, LOG10_E_F64,
                          LOG2_E_F32, LOG2_E_F64, LOG_F32, THIRD_F64)


# ---- parts, which other families use too

def split_f32(x):
    """(k, f): x = (1 + f) * 2**k, of a positive finite x."""
    small = x < 1.17549435e-38
    bits = np.where(small, x * 8388608.0, x).view(device.int32) - device.int32(0x3F3504F3)
    m = ((bits & device.int32(0x7FFFFF)) + device.int32(0x3F3504F3)).view(device.float32)
    return device.float32(bits >> 23) - np.where(small, device.float32(23.0), device.float32(0.0)), m - 1.0


def split_f64(x):
    """The same. The exponent becomes a float by being the low bits of 2**52."""
    small = x < 2.2250738585072014e-308
    bits = np.where(small, x * 4503599627370496.0, x).view(device.uint64) + device.uint64(0x00095F619980C433)
    k = (bits >> 52 | device.uint64(0x4330000000000000)).view(device.float64) - 4503599627371519.0
    m = ((bits & device.uint64(0xFFFFFFFFFFFFF)) + device.uint64(0x3FE6A09E667F3BCD)).view(device.float64)
    return k - np.where(small, 52.0, 0.0), m - 1.0


def ends(x, result):
    """0, infinity, NaN and the negative."""
    other = np.where(x == 0.0, x.dtype(-math.inf), np.where(x < 0.0, x.dtype(math.nan), x))
    return np.where((x > 0.0) & (x < math.inf), result, other)


def log_of_near_f32(f):
    """log(1 + f) - f."""
    square = f * f
    return device.fma(square * f, polynomial(f, *LOG_F32), -0.5 * square)


def log_of_near_f64(f):
    """(h, l): h + l = log(1 + f) to 2**-58."""
    s = f / (2.0 + f)
    z = s * s
    square, below = two_product(0.5 * f, f)
    high, low = fast_two_sum(f, -square)
    return high, (low - below) + s * device.fma(z * 2.0, polynomial(z, *ATANH_F64), square)


def log_short(x):
    """log(x) to 2**-33 of a positive normal x, in float64."""
    k, f = split_f64(x)
    s = f / (2.0 + f)
    z = s * s
    return device.fma(k, LN2_F64[0], device.fma(s * z * 2.0, polynomial(z, *ATANH_SHORT), s + s))


def log_long(x):
    """(h, l): log(x) to 2**-65, of a positive finite x."""
    k, f = split_f64(x)
    under, missing = fast_two_sum(2.0, f)
    s = f / under
    e = (device.fma(-s, under, f) - s * missing) / under          # s + e = f / (2 + f)
    z, y = two_product(s, s)
    y = device.fma(s + s, e, y)                                   # z + y = (s + e)**2
    third, more = two_product(z, THIRD_F64[0])
    more = device.fma(z, THIRD_F64[1], device.fma(y, THIRD_F64[0], more))
    more = device.fma(z * z, polynomial(z, *ATANH_LONG), more)    # atanh(s) / s - 1 = third + more
    twice, rest = s + s, e + e
    bend, below = two_product(twice, third)
    below = below + device.fma(rest, third, twice * more)
    high, low = fast_two_sum(twice, bend)
    low = low + (below + rest)
    whole, lost = two_sum(k * LN2_F64[0], high)
    return fast_two_sum(whole, lost + device.fma(k, LN2_F64[1], low))


# ---- the functions

def log_f32(x):
    k, f = split_f32(x)
    high, low = fast_two_sum(k * LN2_F32[0], f)
    return ends(x, high + (low + device.fma(k, LN2_F32[1], log_of_near_f32(f))))


def log_f64(x):
    k, f = split_f64(x)
    high, low = log_of_near_f64(f)
    whole, lost = fast_two_sum(k * LN2_F64[0], high)
    return ends(x, whole + (lost + device.fma(k, LN2_F64[1], low)))


def in_base_f32(x, base, two_high, two_low):
    """log(x) * base, two_high + two_low = log(2) * base."""
    k, f = split_f32(x)
    high, low = fast_two_sum(f, log_of_near_f32(f))
    product, below = two_product(high, x.dtype(base[0]))
    below = device.fma(low, base[0], device.fma(high, base[1], below))
    whole, lost = fast_two_sum(k * two_high, product)
    return ends(x, whole + (lost + device.fma(k, two_low, below)))


def log2_f32(x):
    return in_base_f32(x, LOG2_E_F32, 1.0, 0.0)


def log10_f32(x):
    return in_base_f32(x, LOG10_E_F32, LOG10_2_F32[0], LOG10_2_F32[1])


def in_base_f64(x, base, two_high, two_low):
    k, f = split_f64(x)
    high, low = log_of_near_f64(f)
    product, below = two_product(high, base[0])
    below = device.fma(low, base[0], device.fma(high, base[1], below))
    whole, lost = fast_two_sum(k * two_high, product)
    return ends(x, whole + (lost + device.fma(k, two_low, below)))


def log2_f64(x):
    return in_base_f64(x, LOG2_E_F64, 1.0, 0.0)


def log10_f64(x):
    return in_base_f64(x, LOG10_E_F64, LOG10_2_F64[0], LOG10_2_F64[1])


def log1p_short(x):
    """log(1 + x) to 2**-33 of x, for what becomes float32; x > -1."""
    u = 1.0 + x
    rest = np.where(x < 1.0, x - (u - 1.0), 0.0)
    k, f = split_f64(u)
    s = f / (2.0 + f)
    z = s * s
    return device.fma(k, LN2_F64[0], device.fma(s * z * 2.0, polynomial(z, *ATANH_SHORT), s + s)) + rest / u


def log1p_f32(x):
    wide = device.float64(x)
    result = device.float32(log1p_short(wide))
    result = np.where(wide > -1.0, np.where(x == 0.0, x, result), ends(x + 1.0, x))
    return np.where(x < math.inf, result, x)


def log1p_f64(x):
    u, rest = two_sum(1.0, x)
    k, f = split_f64(u)
    high, low = log_of_near_f64(f)
    low = low + np.where(k > 60.0, 0.0, rest / u)
    whole, lost = fast_two_sum(k * LN2_F64[0], high)
    result = whole + (lost + device.fma(k, LN2_F64[1], low))
    result = np.where(x > -1.0, np.where(abs(x) < 1e-17, x, result), ends(u, x))
    return np.where(x < math.inf, result, x)
