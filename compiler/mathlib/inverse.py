"""atan, atan2, asin, acos: polynomials near zero, and the identities that lead there."""

import math

import numpy as np

from hetjit import device

from arithmetic import fast_two_sum, polynomial, with_sign_f32, with_sign_f64
from coefficients import ASIN_F32, ASIN_F64, ATAN_F32, ATAN_F64, HALF_PI_F32, HALF_PI_F64


def short_quotient(y, x):
    """A quotient of at most 1/2 for y / x, as t + e; and what was done for it: those above 1 are turned round, and those above
    1/2 become (a - b) / (a + b), pi/4 further on."""
    over = y > x
    a, b = np.where(over, x, y), np.where(over, y, x)
    far = a > 0.5 * b
    under, rest = fast_two_sum(b, np.where(far, a, 0.0))
    above = np.where(far, a - b, a)  # exact
    inverse = 1.0 / under
    t = above * inverse
    e = device.fma(-t, rest, device.fma(-t, under, above)) * inverse
    return t, e, far, over


def whole_angle(t, e, far, over, half, below):
    """c + t, or pi/2 - (c + t), c being 0 or pi/4; pi/2 is half + below."""
    c, low = np.where(far, half * 0.5, 0.0), np.where(far, below * 0.5, 0.0)
    c, low = np.where(over, half - c, c), np.where(over, below - low, low)
    t, e = np.where(over, -t, t), np.where(over, -e, e)
    c, rest = fast_two_sum(c, t)
    return c + (rest + (e + low))


def atan_of_quotient_f32(y, x):
    """atan(y / x) in [0, pi/2], of y >= 0 and x >= 0 that are not both 0 or infinite."""
    high = np.where(y > x, y, x)
    one = device.float32(1.0)
    scale = np.where(high > 1e35, device.float32(2.0**-10), np.where(high < 1e-30, device.float32(2.0**60), one))
    t, e, far, over = short_quotient(y * scale, x * scale)
    z = t * t
    e = device.fma(t * z, polynomial(z, *ATAN_F32), e)
    return whole_angle(t, e, far, over, HALF_PI_F32[0], HALF_PI_F32[1])


def atan_of_quotient_f64(y, x):
    high = np.where(y > x, y, x)
    one = device.float64(1.0)
    scale = np.where(high > 1e304, device.float64(2.0**-10), np.where(high < 1e-290, device.float64(2.0**200), one))
    t, e, far, over = short_quotient(y * scale, x * scale)
    z = t * t
    e = device.fma(t * z, polynomial(z, *ATAN_F64), e)
    return whole_angle(t, e, far, over, HALF_PI_F64[0], HALF_PI_F64[1])


def atan_f32(x):
    size = np.where(abs(x) > 1e30, device.float32(1e30), abs(x))
    return with_sign_f32(atan_of_quotient_f32(size, device.float32(1.0)), x)


def atan_f64(x):
    size = np.where(abs(x) > 1e30, 1e30, abs(x))
    return with_sign_f64(atan_of_quotient_f64(size, 1.0), x)


def atan2_f32(y, x):
    height, width = abs(y), abs(x)
    both = (height == width) & ((height == 0.0) | (height == math.inf))  # no quotient: an eighth, or none
    angle = atan_of_quotient_f32(np.where(both, device.float32(1.0), height), np.where(both, device.float32(1.0), width))
    angle = np.where(both & (height == 0.0), device.float32(0.0), angle)
    angle = np.where((width == math.inf) & (height < math.inf), device.float32(0.0), angle)
    angle = np.where((height == math.inf) & (width < math.inf), device.float32(HALF_PI_F32[0]), angle)
    left = math.copysign(device.float32(1.0), x) < 0.0
    pi, below = device.float32(2 * HALF_PI_F32[0]), device.float32(2 * HALF_PI_F32[1])
    angle = np.where(left, pi - (angle - below), angle)
    return np.where((x != x) | (y != y), x + y, with_sign_f32(angle, y))


def atan2_f64(y, x):
    height, width = abs(y), abs(x)
    both = (height == width) & ((height == 0.0) | (height == math.inf))
    angle = atan_of_quotient_f64(np.where(both, 1.0, height), np.where(both, 1.0, width))
    angle = np.where(both & (height == 0.0), 0.0, angle)
    angle = np.where((width == math.inf) & (height < math.inf), 0.0, angle)
    angle = np.where((height == math.inf) & (width < math.inf), HALF_PI_F64[0], angle)
    left = math.copysign(1.0, x) < 0.0
    angle = np.where(left, 2 * HALF_PI_F64[0] - (angle - 2 * HALF_PI_F64[1]), angle)
    return np.where((x != x) | (y != y), x + y, with_sign_f64(angle, y))


def asin_f32(x):
    """Beyond 1/2: pi/2 - 2 asin(sqrt((1 - x) / 2))."""
    size = abs(x)
    near = size < 0.5
    z = np.where(near, size * size, (1.0 - size) * 0.5)
    root = np.where(near, size, math.sqrt(z))
    angle = device.fma(root * z, polynomial(z, *ASIN_F32), root)
    half, below = device.float32(HALF_PI_F32[0]), device.float32(HALF_PI_F32[1])
    return with_sign_f32(np.where(near, angle, half - (2.0 * angle - below)), x)


def acos_f32(x):
    size = abs(x)
    near = size < 0.5
    z = np.where(near, size * size, (1.0 - size) * 0.5)
    root = np.where(near, size, math.sqrt(z))
    angle = device.fma(root * z, polynomial(z, *ASIN_F32), root)
    half, below = device.float32(HALF_PI_F32[0]), device.float32(HALF_PI_F32[1])
    left = x < 0.0
    middle = half - (np.where(left, -angle, angle) - below)
    outer = np.where(left, 2.0 * half - (2.0 * angle - 2.0 * below), 2.0 * angle)
    return np.where(near, middle, outer)


def root_and_rest(z):
    """(s, e): s + e = sqrt(z) to 2**-100."""
    s = math.sqrt(z)
    return s, np.where(z == 0.0, 0.0, device.fma(-s, s, z) / (s + s))


def asin_f64(x):
    size = abs(x)
    near = size < 0.5
    z = np.where(near, size * size, (1.0 - size) * 0.5)
    s, e = root_and_rest(z)
    root = np.where(near, size, s)
    bend = root * z * polynomial(z, *ASIN_F64)
    quarter = HALF_PI_F64[0] * 0.5
    far = quarter - ((2.0 * (bend + e) - HALF_PI_F64[1]) - (quarter - 2.0 * s))
    return with_sign_f64(np.where(near, size + bend, far), x)


def acos_f64(x):
    size = abs(x)
    near = size < 0.5
    z = np.where(near, size * size, (1.0 - size) * 0.5)
    s, e = root_and_rest(z)
    bend = np.where(near, size, s) * z * polynomial(z, *ASIN_F64)
    half, below = HALF_PI_F64[0], HALF_PI_F64[1]
    left = x < 0.0
    middle = half - (x - (below - np.where(left, -bend, bend)))
    right = 2.0 * (s + (bend + e))
    far = 2.0 * half - 2.0 * (s + ((bend + e) - below))
    return np.where(near, middle, np.where(left, far, right))
