"""exp, exp2, expm1: x = n*log(2) + r with |r| <= log(2)/2, exp(x) = 2**n * exp(r), exp(r) by a polynomial."""

import numpy as np

from hetjit import device

from arithmetic import (ROUND_F32, ROUND_F64, between, fast_two_sum, polynomial, power_of_two_f64, scaled_f32, scaled_f64,
                        two_product, two_sum)
from coefficients import EXP_F32, EXP_F64, EXP_LONG, EXP_SHORT, LN2_F32, LN2_F64, LN2_LONG_F32, LN2_LONG_F64, LOG2_E_F32, LOG2_E_F64


# ---- parts, which other families use too

def split_f32(x):
    """(n, r): whole n, small r."""
    n = device.fma(x, LOG2_E_F32[0], ROUND_F32) - ROUND_F32
    return n, device.fma(n, -LN2_F32[1], device.fma(n, -LN2_F32[0], x))


def exp_minus_one_f32(r):
    """exp(r) - 1 of a small r."""
    return device.fma(r * r, polynomial(r, *EXP_F32), r)


def split_f64(x):
    n = device.fma(x, LOG2_E_F64[0], ROUND_F64) - ROUND_F64
    return n, device.fma(n, -LN2_F64[1], device.fma(n, -LN2_F64[0], x))


def split_long(x):
    """(n, r, e): r + e is exact to 2**-107 or so."""
    n = device.fma(x, LOG2_E_F64[0], ROUND_F64) - ROUND_F64
    high = device.fma(n, -LN2_F64[0], x)
    r = device.fma(n, -LN2_F64[1], high)
    return n, r, device.fma(n, -LN2_F64[1], high - r)


def exp_long(r, e):
    """(h, l): exp(r + e) of a small r, to 2**-60."""
    square, below = two_product(r * 0.5, r)
    one, rest = fast_two_sum(1.0, r)
    high, more = fast_two_sum(one, square)
    cube = r * r * r
    return fast_two_sum(high, more + (rest + (below + device.fma(cube, polynomial(r, *EXP_LONG), e * high))))


def exp_short(x):
    """(n, p): exp(x) = 2**n * p to 2**-33, for results that become float32."""
    n, r = split_f64(x)
    return n, device.fma(r * r, polynomial(r, *EXP_SHORT), r) + 1.0


# ---- the functions

def exp_f32(x):
    x = between(x, -110.0, 100.0)
    n, r = split_f32(x)
    return scaled_f32(exp_minus_one_f32(r) + 1.0, n)


def exp_f64(x):
    x = between(x, -760.0, 720.0)
    n, r, e = split_long(x)
    return scaled_f64((device.fma(r * r, polynomial(r, *EXP_F64), e) + r) + 1.0, n)


def exp2_f32(x):
    x = between(x, -160.0, 130.0)
    n = device.rint(x)
    f = x - n
    r = f * LN2_LONG_F32[0]
    e = device.fma(f, LN2_LONG_F32[1], device.fma(f, LN2_LONG_F32[0], -r))
    return scaled_f32((device.fma(r * r, polynomial(r, *EXP_F32), e) + r) + 1.0, n)


def exp2_f64(x):
    x = between(x, -1100.0, 1030.0)
    n = device.rint(x)
    f = x - n
    r = f * LN2_LONG_F64[0]
    e = device.fma(f, LN2_LONG_F64[1], device.fma(f, LN2_LONG_F64[0], -r))
    return scaled_f64((device.fma(r * r, polynomial(r, *EXP_F64), e) + r) + 1.0, n)


def expm1_f32(x):
    wide = between(device.float64(x), -40.0, 100.0)
    n, r = split_f64(wide)
    small = device.fma(r * r, polynomial(r, *EXP_SHORT), r)  # exp(r) - 1
    power = power_of_two_f64(n)
    return np.where(x == 0.0, x, device.float32(device.fma(power, small, power - 1.0)))


def expm1_f64(x):
    square, below = two_product(0.5 * x, x)
    near, rest = fast_two_sum(x, square)
    near = near + (rest + device.fma(x * x * x, polynomial(x, *EXP_LONG), below))
    n, r, e = split_long(between(x, -60.0, 709.9))
    high, low = exp_long(r, e)
    scale = power_of_two_f64(n - 1.0)  # half: 2**1024 is no number
    whole, rest = two_sum(high * scale, -0.5)
    far = (whole + (rest + low * scale)) * 2.0
    return np.where(abs(x) < 0.34, np.where(x == 0.0, x, near), far)
