"""sinh, cosh, tanh and their inverses: polynomials near zero, elsewhere exp and log in two parts."""

import math

import numpy as np

from hetjit import device

import exponential
import logarithm
from arithmetic import fast_two_sum, polynomial, power_of_two_f64, scaled_f64, two_sum, with_sign_f32, with_sign_f64
from coefficients import LN2_F64, LN2_LONG_F64, SINH_F64, SINH_SHORT, TANH_F32, TANH_F64


# ---- float32, by way of float64

def exp_pair(x):
    """(exp(x), exp(-x)) to 2**-32; x stays in what float32 can show."""
    n, p = exponential.exp_short(np.where(x > 100.0, 100.0, x))
    power = p * power_of_two_f64(n)
    return power, 1.0 / power


def sinh_f32(x):
    size = device.float64(abs(x))
    z = size * size
    near = device.fma(size * z, polynomial(z, *SINH_SHORT), size)
    up, down = exp_pair(size)
    return with_sign_f32(device.float32(np.where(size < 0.5, near, 0.5 * (up - down))), x)


def cosh_f32(x):
    up, down = exp_pair(device.float64(abs(x)))
    return device.float32(0.5 * (up + down))


def tanh_f32(x):
    size = abs(x)
    z = size * size
    near = device.fma(size * z, polynomial(z, *TANH_F32), size)
    n, r = exponential.split_f32(np.where(size > 20.0, device.float32(40.0), size + size))
    power = (exponential.exp_minus_one_f32(r) + 1.0) * ((device.int32(n) << 23) + 0x3F800000).view(device.float32)
    far = 1.0 - 2.0 / (power + 1.0)
    return with_sign_f32(np.where(size < 0.6, near, far), x)


def asinh_f32(x):
    size = device.float64(abs(x))
    z = size * size
    result = logarithm.log1p_short(size + z / (1.0 + math.sqrt(z + 1.0)))
    return with_sign_f32(np.where(abs(x) < math.inf, device.float32(result), abs(x)), x)


def acosh_f32(x):
    wide = device.float64(x) - 1.0
    result = logarithm.log1p_short(wide + math.sqrt(device.fma(wide, wide, wide + wide)))
    return np.where(x < math.inf, np.where(x < 1.0, device.float32(math.nan), device.float32(result)), x)


def atanh_f32(x):
    size = device.float64(abs(x))
    result = device.float32(0.5 * logarithm.log1p_short((size + size) / (1.0 - size)))
    result = np.where(abs(x) < 1.0, result, np.where(abs(x) == 1.0, device.float32(math.inf), device.float32(math.nan)))
    return with_sign_f32(result, x)


# ---- float64

def inverse_long(high, low):
    """(h, l): 1 / (high + low)."""
    h = 1.0 / high
    return h, -h * device.fma(h, low, device.fma(high, h, -1.0))


def half_exp_pair(size):
    """exp(size) / 2 = 2**n * (h + l) and exp(-size) / 2 = 2**n * (i + j), n first."""
    n, r, e = exponential.split_long(np.where(size > 712.0, 712.0, size))
    h, l = exponential.exp_long(r, e)
    i, j = inverse_long(h, l)
    ratio = power_of_two_f64(np.where(n > 100.0, -200.0, -2.0 * n))
    return n - 1.0, h, l, i * ratio, j * ratio


def sinh_f64(x):
    size = abs(x)
    z = size * size
    near = device.fma(size * z, polynomial(z, *SINH_F64), size)
    n, h, l, i, j = half_exp_pair(size)
    s, e = fast_two_sum(h, -i)
    far = scaled_f64(s + (e + (l - j)), n)
    return with_sign_f64(np.where(size < 1.0, near, np.where(size < math.inf, far, size)), x)


def cosh_f64(x):
    size = abs(x)
    n, h, l, i, j = half_exp_pair(size)
    s, e = fast_two_sum(h, i)
    return np.where(size < math.inf, scaled_f64(s + (e + (l + j)), n), size)


def tanh_f64(x):
    """Beyond 0.6: (1 - t) / (1 + t), t = exp(-2|x|), the division with its remainder."""
    size = abs(x)
    z = size * size
    near = device.fma(size * z, polynomial(z, *TANH_F64), size)
    n, r, e = exponential.split_long(np.where(size > 22.0, -44.0, -2.0 * size))
    h, l = exponential.exp_long(r, e)
    scale = power_of_two_f64(n)
    h, l = h * scale, l * scale
    up, up_rest = fast_two_sum(1.0, -h)
    down, down_rest = fast_two_sum(1.0, h)
    q = up / down
    rest = device.fma(-q, down, up) + ((up_rest - l) - q * (down_rest + l))
    far = q + rest / down
    result = np.where(size < 0.6, near, far)
    return np.where(x == x, with_sign_f64(result, x), x)


def log1p_long(x, e):
    """log(1 + x + e), x >= 0 and e small beside it."""
    u, rest = two_sum(1.0, x)
    k, f = logarithm.split_f64(u)
    high, low = logarithm.log_of_near_f64(f)
    low = low + (rest + e) / u
    whole, lost = fast_two_sum(k * LN2_F64[0], high)
    return whole + (lost + device.fma(k, LN2_F64[1], low))


def asinh_f64(x):
    """log(x + sqrt(x*x + 1)); from 2**28 on log(2x), without the square."""
    size = abs(x)
    large = size > 268435456.0
    z = size * size
    inner = size + z / (1.0 + math.sqrt(z + 1.0))
    result = log1p_long(np.where(large, size - 1.0, inner), 0.0) + np.where(large, LN2_LONG_F64[0], 0.0)
    result = np.where(size < 1e-9, size, result)
    return with_sign_f64(np.where(size < math.inf, result, size), x)


def acosh_f64(x):
    large = x > 268435456.0
    t = x - 1.0
    inner = np.where(large, t, t + math.sqrt(device.fma(t, t, t + t)))
    result = log1p_long(inner, 0.0) + np.where(large, LN2_LONG_F64[0], 0.0)
    return np.where(x < math.inf, np.where(x < 1.0, math.nan, result), x)


def atanh_f64(x):
    size = abs(x)
    result = 0.5 * log1p_long((size + size) / (1.0 - size), 0.0)
    result = np.where(size < 1e-9, size, result)
    result = np.where(size < 1.0, result, np.where(size == 1.0, math.inf, math.nan))
    return with_sign_f64(result, x)
