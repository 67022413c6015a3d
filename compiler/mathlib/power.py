"""pow: exp(y * log|x|), the logarithm and the product in two parts; rsqrt, cbrt and hypot."""

import math

import numpy as np

from hetjit import device

import exponential
import logarithm
from arithmetic import fast_two_sum, polynomial, power_of_two_f64, scaled_f64, two_product, with_sign_f32, with_sign_f64
from coefficients import CBRT


def with_sign_and_ends(x, y, size):
    """|x|**y with the sign of x**y, and C's answers where there is no number."""
    whole = device.trunc(y) == y
    half = y * 0.5
    odd = whole & (device.trunc(half) != half)
    result = np.where(odd, math.copysign(size, x), size)
    result = np.where((x < 0.0) & (x > -math.inf) & (whole == False), x.dtype(math.nan), result)  # noqa: E712
    return np.where((y == 0.0) | (x == 1.0), x.dtype(1.0), result)


def log_at_ends(size, log):
    return np.where(size == 0.0, -math.inf, np.where(size == math.inf, math.inf, log))


def pow_f32(x, y):
    size = device.float64(abs(x))
    log = log_at_ends(size, logarithm.log_short(size))
    product = np.where(size == 1.0, 0.0, log * device.float64(y))
    product = np.where(product > 120.0, 120.0, np.where(product < -120.0, -120.0, product))
    n, p = exponential.exp_short(product)
    result = device.float32(p * power_of_two_f64(n))
    result = np.where((x != x) | (y != y), x + y, result)
    return with_sign_and_ends(x, y, result)


def pow_f64(x, y):
    size = abs(x)
    high, low = logarithm.log_long(size)
    high = log_at_ends(size, high)
    product, below = two_product(high, y)
    below = device.fma(low, y, below)
    product = np.where(size == 1.0, 0.0, product)
    inside = abs(product) < 800.0
    below = np.where(inside & (size != 1.0), below, 0.0)
    product = np.where(product > 800.0, 800.0, np.where(product < -800.0, -800.0, product))
    n, r, e = exponential.split_long(product)
    r, e = fast_two_sum(r, e + below)
    power, rest = exponential.exp_long(r, e)
    result = scaled_f64(power + rest, n)
    result = np.where((x != x) | (y != y), x + y, result)
    return with_sign_and_ends(x, y, result)


def rsqrt_f32(x):
    return x.dtype(1.0) / math.sqrt(x)


def rsqrt_f64(x):
    """A root and a quotient are off by up to 1.5 units; what is missing of x y² = 1 mends it."""
    y = x.dtype(1.0) / math.sqrt(x)
    product, below = two_product(x, y)
    missing = device.fma(-product, y, x.dtype(1.0)) - below * y
    return np.where((x > 0.0) & (x < math.inf), device.fma(y * 0.5, missing, y), y)


def cbrt_f64(x):
    """A polynomial, a step of Halley's, and one of Newton's with the residue in two parts."""
    size = abs(x)
    small = size < 2.2250738585072014e-308
    bits = np.where(small, size * 18014398509481984.0, size).view(device.uint64)
    exponent = device.uint32(bits >> 52)
    m = (bits & device.uint64(0xFFFFFFFFFFFFF) | device.uint64(0x3FE0000000000000)).view(device.float64)
    # size = m * 2**(exponent - 1022); 1022 = 3 * 340 + 2, and 54 = 3 * 18
    third = (exponent + 1) // 3
    rest = (exponent + 1) - third * 3
    y = polynomial(m, *CBRT) * np.where(rest == 0, 1.0, np.where(rest == 1, device.float64(1.2599210498948732), 1.5874010519681994))
    m = m * np.where(rest == 0, 1.0, np.where(rest == 1, 2.0, 4.0))
    cube = y * y * y
    y = y * (cube + (m + m)) / (cube + (cube + m))
    square, below = two_product(y, y)
    cube, low = two_product(square, y)
    residue = (cube - m) + device.fma(below, y, low)
    y = y - residue / (3.0 * square)
    scale = device.uint64(third - np.where(small, device.uint32(18), device.uint32(0)) + 1023 - 341) << 52
    result = with_sign_f64(y * scale.view(device.float64), x)
    return np.where((size > 0.0) & (size < math.inf), result, x)


def cbrt_f32(x):
    size = device.float64(abs(x))
    bits = size.view(device.uint64)
    exponent = device.uint32(bits >> 52)
    m = (bits & device.uint64(0xFFFFFFFFFFFFF) | device.uint64(0x3FE0000000000000)).view(device.float64)
    third = (exponent + 1) // 3
    rest = (exponent + 1) - third * 3
    y = polynomial(m, *CBRT) * np.where(rest == 0, 1.0, np.where(rest == 1, device.float64(1.2599210498948732), 1.5874010519681994))
    m = m * np.where(rest == 0, 1.0, np.where(rest == 1, 2.0, 4.0))
    cube = y * y * y
    y = y * (cube + (m + m)) / (cube + (cube + m))
    scale = device.uint64(third + 1023 - 341) << 52
    result = with_sign_f32(device.float32(y * scale.view(device.float64)), x)
    return np.where((size > 0.0) & (size < math.inf), result, x)


def hypot_f32(x, y):
    wide, other = device.float64(x), device.float64(y)
    result = device.float32(math.sqrt(device.fma(wide, wide, other * other)))
    return np.where((abs(x) == math.inf) | (abs(y) == math.inf), x.dtype(math.inf), result)


def hypot_f64(x, y):
    """Squares of numbers brought near 1 by a power of two."""
    x, y = abs(x), abs(y)
    a, b = np.where(x < y, y, x), np.where(x < y, x, y)
    scale = np.where(a > 1e150, device.float64(2.0**-600), np.where(a < 1e-140, device.float64(2.0**600), 1.0))
    u, v = a * scale, b * scale
    squares = device.fma(u, u, v * v)
    result = math.sqrt(squares) * np.where(a > 1e150, device.float64(2.0**600), np.where(a < 1e-140, device.float64(2.0**-600), 1.0))
    result = np.where(x + y == x + y, result, x + y)
    return np.where((x == math.inf) | (y == math.inf), math.inf, result)
