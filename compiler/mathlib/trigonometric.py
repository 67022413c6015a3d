"""sin, cos, tan: x = n * pi/2 + r with |r| <= pi/4, then a polynomial each for sin(r) and cos(r); n chooses.

Usual arguments: pi/2 in three parts, fused multiply-adds. Large ones: x * 2/pi modulo 4 in whole numbers, from those
bits of 2/pi that matter (Payne and Hanek's method); the only branch of the library, taken when some lane needs it.
"""

import math

import numpy as np

from hetjit import device

from arithmetic import ROUND_F32, ROUND_F64, fast_two_sum, polynomial, two_product, two_sum
from coefficients import COS_F32, COS_F64, HALF_PI_F32, HALF_PI_F64, SIN_F32, SIN_F64, TWO_OVER_PI

U64 = device.uint64
LOW_HALF = U64(0xFFFFFFFF)
ROUND_QUADRANT = U64(1 << 61)
WORDS = (U64(0), *TWO_OVER_PI)  # zeros stand before the point
HALVES = (U64(0), *(U64(half) for word in TWO_OVER_PI[:4] for half in divmod(int(word), 1 << 32)))


# ---- large arguments

def pick(index, a, b, c, d, e):
    return np.where(index == 0, a, np.where(index == 1, b, np.where(index == 2, c, np.where(index == 3, d, e))))


def large_f32(x):
    """(r, e, quadrant) of a finite |x| >= 2**17. The product is a fixed-point number with 62 bits behind the point."""
    bits = abs(x).view(device.uint32)
    mantissa = U64(bits & device.uint32(0x7FFFFF) | device.uint32(0x800000))
    place = (bits >> 23) - device.uint32(150 - 30)  # of the first bit that matters, 32 zeros standing before the point
    index, shift = place >> 5, U64(place & device.uint32(31))
    w0, w1 = pick(index, *HALVES[0:5]), pick(index, *HALVES[1:6])
    w2, w3 = pick(index, *HALVES[2:7]), pick(index, *HALVES[3:8])
    high = (w0 << 32 | w1) << shift | w2 >> (U64(32) - shift)
    low = (w2 << 32 | w3) << shift >> 32
    product = mantissa * high + (mantissa * low >> 32)
    quadrant = (product + ROUND_QUADRANT) >> 62
    wide = device.float64((product - (quadrant << 62)).view(device.int64)) * device.float64(math.pi / 2 * 2.0**-62)
    wide = np.where(x < 0.0, -wide, wide)
    r = device.float32(wide)
    n = device.int32(quadrant)
    return r, device.float32(wide - r), np.where(x < 0.0, -n, n)


def high_product(a, b):
    """The upper 64 bits of a * b."""
    al, ah, bl, bh = a & LOW_HALF, a >> 32, b & LOW_HALF, b >> 32
    middle = ah * bl + (al * bl >> 32)
    other = al * bh + (middle & LOW_HALF)
    return ah * bh + (middle >> 32) + (other >> 32)


def either(condition, far, near):
    if len(far) == 1:
        return (np.where(condition, far[0], near[0]),)
    return (np.where(condition, far[0], near[0]), *either(condition, far[1:], near[1:]))


def large_f64(x):
    """(r, e, quadrant) of a finite |x| >= 2**28: 126 bits behind the point."""
    bits = abs(x).view(U64)
    mantissa = bits & U64(0xFFFFFFFFFFFFF) | U64(0x10000000000000)
    place = device.uint32(bits >> 52) - device.uint32(1075 - 62)  # 64 zeros stand before the point
    shift = U64(place & device.uint32(63))
    index = place >> 6
    # At most 16: the four words from there, halving what is looked at.
    a = either(index & device.uint32(8) != 0, WORDS[8:19], WORDS[0:11])
    b = either(index & device.uint32(4) != 0, a[4:11], a[0:7])
    c = either(index & device.uint32(2) != 0, b[2:7], b[0:5])
    d = either(index & device.uint32(1) != 0, c[1:5], c[0:4])
    last = index == device.uint32(16)
    w0, w1 = np.where(last, WORDS[16], d[0]), np.where(last, WORDS[17], d[1])
    w2, w3 = np.where(last, WORDS[18], d[2]), np.where(last, WORDS[19], d[3])
    back = U64(63) - shift  # in two steps: a shift by 64 is none
    w0 = w0 << shift | w1 >> back >> 1
    w1 = w1 << shift | w2 >> back >> 1
    w2 = w2 << shift | w3 >> back >> 1
    low = mantissa * w1
    low_sum = low + high_product(mantissa, w2)
    carry = np.where(low_sum < low, U64(1), U64(0))
    high = mantissa * w0 + high_product(mantissa, w1) + carry
    quadrant = (high + ROUND_QUADRANT) >> 62
    signed = (high - (quadrant << 62)).view(device.int64)
    # Two floats: the upper 54 bits with their sign, and the 63 below.
    upper = device.float64(signed >> 10 << 10) * 2.0**-62
    under = device.float64((U64(signed & device.int64(1023)) << 53 | low_sum >> 11).view(device.int64)) * 2.0**-115
    s, t = fast_two_sum(upper, under)
    r, e = two_product(s, HALF_PI_F64[0])
    e = device.fma(s, HALF_PI_F64[1], device.fma(t, HALF_PI_F64[0], e))
    n = device.int32(quadrant)
    negative = x < 0.0
    return np.where(negative, -r, r), np.where(negative, -e, e), np.where(negative, -n, n)


# ---- reduction

def reduced_f32(x):
    """(r, e, quadrant): r + e; only the last two bits of the quadrant count."""
    t = device.fma(x, 0.63661975, ROUND_F32)
    n = t - ROUND_F32
    first = device.fma(n, -HALF_PI_F32[0], x)
    product, below = two_product(n, -HALF_PI_F32[1])
    r, e = two_sum(first, product)
    e = e + device.fma(n, -HALF_PI_F32[2], below)
    quadrant = t.view(device.int32)
    if abs(x) >= 131072.0:
        r, e, quadrant = large_f32(x)
    return np.where(abs(x) < math.inf, r, x.dtype(math.nan)), e, quadrant


def reduced_f64(x):
    """(r, e, quadrant): the same."""
    t = device.fma(x, 0.6366197723675814, ROUND_F64)
    n = t - ROUND_F64
    first = device.fma(n, -HALF_PI_F64[0], x)
    product, below = two_product(n, -HALF_PI_F64[1])
    r, e = two_sum(first, product)
    e = e + device.fma(n, -HALF_PI_F64[2], below)
    quadrant = device.int32(t.view(U64) & U64(3))
    if abs(x) >= 268435456.0:
        r, e, quadrant = large_f64(x)
    return np.where(abs(x) < math.inf, r, math.nan), e, quadrant


# ---- of a small r

def sin_near_f32(r, e, z):
    return r + device.fma(r * z, polynomial(z, *SIN_F32), e)


def cos_near_f32(r, e, z):
    half = 0.5 * z
    w = 1.0 - half
    return w + (((1.0 - w) - half) + device.fma(z * z, polynomial(z, *COS_F32), -r * e))


def sin_near_f64(r, e, z):
    return r + device.fma(r * z, polynomial(z, *SIN_F64), device.fma(-0.5 * z, e, e))


def cos_near_f64(r, e, z):
    half = 0.5 * z
    w = 1.0 - half
    return w + (((1.0 - w) - half) + device.fma(z * z, polynomial(z, *COS_F64), -r * e))


def flipped_f32(x, quadrant):
    """-x when bit 1 of the quadrant is set."""
    return (x.view(device.int32) ^ ((quadrant & 2) << 30)).view(device.float32)


def flipped_f64(x, quadrant):
    return (x.view(U64) ^ (U64(quadrant & 2) << 62)).view(device.float64)


# ---- the functions

def sin_f32(x):
    r, e, quadrant = reduced_f32(x)
    z = r * r
    result = flipped_f32(np.where(quadrant & 1 != 0, cos_near_f32(r, e, z), sin_near_f32(r, e, z)), quadrant)
    return np.where(x == 0.0, x, result)


def cos_f32(x):
    r, e, quadrant = reduced_f32(x)
    z = r * r
    chosen = np.where(quadrant & 1 != 0, sin_near_f32(r, e, z), cos_near_f32(r, e, z))
    return flipped_f32(chosen, quadrant + (quadrant & 1))  # negative in quadrants 1 and 2


def tan_f32(x):
    r, e, quadrant = reduced_f32(x)
    z = r * r
    s, c = sin_near_f32(r, e, z), cos_near_f32(r, e, z)
    odd = quadrant & 1 != 0
    return np.where(x == 0.0, x, np.where(odd, -c, s) / np.where(odd, s, c))


def sin_f64(x):
    r, e, quadrant = reduced_f64(x)
    z = r * r
    result = flipped_f64(np.where(quadrant & 1 != 0, cos_near_f64(r, e, z), sin_near_f64(r, e, z)), quadrant)
    return np.where(x == 0.0, x, result)


def cos_f64(x):
    r, e, quadrant = reduced_f64(x)
    z = r * r
    chosen = np.where(quadrant & 1 != 0, sin_near_f64(r, e, z), cos_near_f64(r, e, z))
    return flipped_f64(chosen, quadrant + (quadrant & 1))


def tan_f64(x):
    """The quotient of two numbers in two parts, with its remainder."""
    r, e, quadrant = reduced_f64(x)
    z = r * r
    s, s_rest = fast_two_sum(r, device.fma(r * z, polynomial(z, *SIN_F64), device.fma(-0.5 * z, e, e)))
    half = 0.5 * z
    w = 1.0 - half
    c, c_rest = fast_two_sum(w, ((1.0 - w) - half) + device.fma(z * z, polynomial(z, *COS_F64), -r * e))
    odd = quadrant & 1 != 0
    above, above_rest = np.where(odd, -c, s), np.where(odd, -c_rest, s_rest)
    under, under_rest = np.where(odd, s, c), np.where(odd, s_rest, c_rest)
    q = above / under
    rest = (device.fma(-q, under, above) + device.fma(-q, under_rest, above_rest)) / under
    return np.where(x == 0.0, x, q + rest)
