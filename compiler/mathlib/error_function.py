"""erf, erfc: near zero x times a polynomial in x*x; elsewhere exp(-x*x) times a polynomial in t = (x - 4) / (x + 4), which
takes all of [0, infinity) to [-1, 1)."""

import math

import numpy as np

from hetjit import device

import exponential
from arithmetic import polynomial, power_of_two_f64, scaled_f64, two_product, with_sign_f32, with_sign_f64
from coefficients import ERF_F32, ERF_F64, ERFC_F64, ERFC_SHORT, LOG_ERFC_F32


def erf_f32(x):
    """Far from zero: 1 - exp(p), p being a polynomial for log(erfc(x))."""
    size = abs(x)
    z = size * size
    near = device.fma(size, polynomial(z, *ERF_F32), size)
    n, r = exponential.split_f32(polynomial(np.where(size > 4.0, device.float32(4.0), size), *LOG_ERFC_F32))
    power = (exponential.exp_minus_one_f32(r) + 1.0) * ((device.int32(n) << 23) + 0x3F800000).view(device.float32)
    return with_sign_f32(np.where(size < 0.93, near, 1.0 - power), x)


def erfc_f32(x):
    size = device.float64(np.where(abs(x) > 11.0, device.float32(11.0), abs(x)))
    n, p = exponential.exp_short(-size * size)
    tail = p * power_of_two_f64(n) * (polynomial((size - 4.0) / (size + 4.0), *ERFC_SHORT) / (1.0 + (size + size)))
    return device.float32(np.where(x < 0.0, 2.0 - tail, tail))


def erfc_long(size):
    """(n, c): erfc(size) = 2**n * c, of 0 <= size <= 28."""
    square, below = two_product(size, size)
    n, r, e = exponential.split_long(-square)
    high, low = exponential.exp_long(r, e - below)
    below = size + 4.0
    t = (size - 4.0) / below
    under = 1.0 + (size + size)
    p = polynomial(t, *ERFC_F64)
    q = p / under
    q_rest = device.fma(-q, under, p) / under
    return n, device.fma(high, q, device.fma(low, q, high * q_rest))


def erf_f64(x):
    size = abs(x)
    z = size * size
    near = device.fma(size, polynomial(z, *ERF_F64), size)
    n, c = erfc_long(np.where(size > 6.5, 6.5, size))
    return with_sign_f64(np.where(size < 0.87, near, 1.0 - c * power_of_two_f64(n)), x)


def erfc_f64(x):
    near = 1.0 - device.fma(x, polynomial(x * x, *ERF_F64), x)
    n, c = erfc_long(np.where(abs(x) > 28.0, 28.0, abs(x)))
    tail = scaled_f64(c, n)
    return np.where(abs(x) < 0.5, near, np.where(x < 0.0, 2.0 - tail, tail))
