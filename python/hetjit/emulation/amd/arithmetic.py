"""Functions that pseudo-code names, over NumPy arrays."""

from fractions import Fraction

import numpy as np

from ..numbers import rounding
from ..numbers.conversions import int_to_float
from ..numbers.packed import bf16_from, f32_from_bf16
from ..numbers.rounding import flush, fma_odd
from ..numbers.rounding import fma as fused
from .values import DTYPES

U1, U2, U4, U8, I4 = (DTYPES[n] for n in ("U1", "U2", "U4", "U8", "I4"))
F2, F4, F8 = (DTYPES[n] for n in ("F2", "F4", "F8"))
FORMATS = {F2: (U2, 10, 5), F4: (U4, 23, 8), F8: (U8, 52, 11)}  # bits, of the mantissa, of the exponent


def bits_of(x):
    return x.view(FORMATS[x.dtype][0])


def exponent(x):
    """The biased exponent."""
    kind, mantissa, width = FORMATS[x.dtype]
    return ((bits_of(x) >> kind.type(mantissa)) & kind.type((1 << width) - 1)).astype(I4)


def mantissa(x):
    """A number in [0.5, 1) with the sign, or zero."""
    return np.frexp(x)[0]


def frexp_exponent(x):
    return np.where(np.isfinite(x), np.frexp(x)[1], 0).astype(I4)


def sign(x):
    return np.signbit(x)


def quiet_bit(x):
    kind, mantissa, _ = FORMATS[x.dtype]
    return (bits_of(x) & kind.type(1 << mantissa - 1)) != 0


def is_quiet(x):
    return np.isnan(x) & quiet_bit(x)


def is_signaling(x):
    return np.isnan(x) & ~quiet_bit(x)


def quieted(x):
    kind, mantissa, _ = FORMATS[x.dtype]
    return (bits_of(x) | kind.type(1 << mantissa - 1)).view(x.dtype)


def is_even(x):
    return np.floor(x * x.dtype.type(0.5)) * x.dtype.type(2) == x


def zero_of_sign(x, negative):
    return (x == 0) & (np.signbit(x) == negative)


def subnormal(x):
    return (x != 0) & (np.abs(x) < np.finfo(x.dtype).smallest_normal)


def ldexp(x, count):
    if x.dtype == F2:
        return np.ldexp(x.astype(F8), count).astype(F2)
    return np.ldexp(x, count)


def fract(x):
    return np.minimum(x - np.floor(x), np.nextafter(x.dtype.type(1), x.dtype.type(0)))


def fma(a, b, c):
    if a.dtype == F2:
        return fused(a, b, c)
    a, b, c = np.broadcast_arrays(a, b, c)
    return fused(a.ravel(), b.ravel(), c.ravel()).reshape(a.shape)


RESULTS = {"sum": np.add, "difference": np.subtract, "product": np.multiply, "quotient": np.divide, "sqrt": np.sqrt, "fma": fma}
EXCESSES = {"sum": rounding.sum_excess, "difference": rounding.difference_excess, "product": rounding.product_excess,
            "quotient": rounding.quotient_excess, "sqrt": rounding.root_excess, "fma": rounding.fma_excess}


def directed_result(operation, way, *operands):
    """In a rounding mode: rz, rm, rp."""
    operands = np.broadcast_arrays(*operands)
    shape, operands = operands[0].shape, [np.atleast_1d(x).ravel() for x in operands]
    if operands[0].dtype == F2:  # exact or odd in float64
        wide = [x.astype(F8) for x in operands]
        return narrowed(fma_odd(*operands) if operation == "fma" else RESULTS[operation](*wide), F2, way).reshape(shape)
    result = RESULTS[operation](*operands)
    result = rounding.directed(result, EXCESSES[operation](result, *operands), way, *operands)
    if operation in ("sum", "difference"):
        result = rounding.signed_zero(result, way, operands[0], operands[1] if operation == "sum" else -operands[1])
    return result.reshape(shape)


def narrowed(x, dtype, way):
    result = x.astype(dtype)
    return rounding.directed(result, x.astype(F8) - result.astype(F8), way, x)


def from_integer(x, dtype, way):
    return int_to_float(np.ravel(x), dtype, way).reshape(np.shape(x))


def fma_scaled(a, b, c, power):
    """(a * b + c) * 2^power, rounded once."""
    if a.dtype == F4:
        return np.ldexp(fma_odd(a, b, c), power).astype(F4)
    r = np.ldexp(fma(a, b, c), power)
    small = np.abs(r) < 2.0 ** -1021
    if small.any():
        operands = np.broadcast_arrays(a, b, c, power)
        r = np.array(np.broadcast_to(r, operands[0].shape))
        for place in zip(*np.nonzero(np.broadcast_to(small, r.shape))):
            x, y, z, n = (each[place] for each in operands)
            if np.isfinite([x, y, z]).all():
                exact = (Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))) * Fraction(2) ** int(n)
                r[place] = float(exact) if exact else r[place]
    return r


def saturated(x, dtype):
    """Towards zero; beyond the type's numbers its nearest one, NaN zero."""
    limits = np.iinfo(dtype)
    x = np.trunc(x.astype(F8))
    over = x >= float(limits.max) + (dtype.itemsize == 8)
    inside = np.where(over | np.isnan(x), 0.0, np.maximum(x, float(limits.min)))
    return np.where(over, dtype.type(limits.max), inside.astype(dtype))


def clipped(x, dtype):
    limits, own = np.iinfo(dtype), np.iinfo(x.dtype)
    return np.clip(x, max(limits.min, own.min), min(limits.max, own.max)).astype(dtype)


def toward_zero(x):
    """float32 to float16."""
    near = x.astype(F2)
    wide = near.astype(F4)
    over = (np.abs(wide) > np.abs(x)) & ~np.isnan(x)
    return np.where(over, np.nextafter(near, F2.type(0)), near)


def snorm(x):
    return np.clip(np.nan_to_num(np.rint(x.astype(F8) * 32767)), -32767, 32767).astype(np.int16)


def unorm(x):
    return np.clip(np.nan_to_num(np.rint(x.astype(F8) * 65535)), 0, 65535).astype(U2)


def bf16_value(bits):
    return f32_from_bf16(np.asarray(bits))


def rounded_bf16(x):
    return f32_from_bf16(bf16_from(np.asarray(x, F8) if x.dtype == F8 else np.asarray(x, F4)))


def bf16_bits(x):
    return (np.asarray(x, F4).view(U4) >> U4.type(16)).astype(U2)


def exp2(x):
    return np.exp2(x.astype(F8)).astype(x.dtype)


def log2(x):
    return np.log2(x.astype(F8)).astype(x.dtype)


def sin_of_turns(x):
    """Quarters of a turn are exact."""
    return turns(x, np.sin, 0)


def cos_of_turns(x):
    return turns(x, np.cos, 1)


def turns(x, function, ahead):
    wide = x.astype(F8)
    part = wide - np.rint(wide)
    quarter = part * 4
    exact = np.array([0.0, 1.0, 0.0, -1.0])[((np.nan_to_num(quarter) + ahead).astype(np.int64)) & 3]
    return np.where(quarter == np.rint(quarter), exact, function(part * (2 * np.pi))).astype(x.dtype)


def reversed_bits(x, width):
    x = np.asarray(x)
    turned = np.unpackbits(np.ascontiguousarray(x).view(U1).reshape(-1, x.dtype.itemsize), axis=1, bitorder="little")
    return np.packbits(turned[:, ::-1], axis=1, bitorder="little").view(x.dtype).reshape(x.shape)


def bit_count(x):
    return np.bitwise_count(x)


def first_one(x):
    """The number of the lowest bit that is set; -1 for none."""
    return np.where(x == 0, I4.type(-1), np.bitwise_count((x & -x) - x.dtype.type(1)).astype(I4))


def leading_zeros(x):
    """Above the highest bit that is set; -1 where none is."""
    width = 8 * x.dtype.itemsize
    if width == 32:
        length = np.frexp(x.astype(F8))[1]
    else:
        upper = x >> U8.type(32)
        length = np.where(upper != 0, np.frexp(upper.astype(F8))[1] + 32, np.frexp((x & U8.type(0xFFFFFFFF)).astype(F8))[1])
    return np.where(x == 0, I4.type(-1), (width - length).astype(I4))


def leading_signs(x):
    """Bits above the highest one that differs from the sign; -1 where none does."""
    return leading_zeros((x ^ (x >> x.dtype.type(8 * x.dtype.itemsize - 1))).view(f"u{x.dtype.itemsize}"))


def extended_from(x, count):
    """The bits below `count` as a signed number; none are zero."""
    width = 8 * x.dtype.itemsize
    up = np.maximum(width - count.astype(I4), 0).astype(x.dtype)
    return np.where(count == 0, x.dtype.type(0), (x << up) >> up)


def choose(index, *parts):
    result = parts[-1]
    for number in range(len(parts) - 2, -1, -1):
        result = np.where(index == number, parts[number], result)
    return result


TWO_OVER_PI = int(  # 1201 bits behind the point
    "145f306dc9c882a53f84eafa3ea69bb81b6c52b3278872083fca2c757bd778ac36e48dc74849ba5c00c925dd413a32439fc3bd63962534e7dd1046bea5d76890"
    "9d338e04d68befc827323ac7306a673e93908bf177bf250763ff12fffbc0b301fde5e2316b414da3eda6cfd9e4f96136e9e8c7ecd3cbfd45aea4f758fd7cbe2f"
    "67a0e73ef14a525d4d7f6bf623f1aba10ac06608df8f6", 16)


def two_over_pi(shift):
    """53 bits of 2/pi, behind its first `shift` ones."""
    def of(number):
        down = 1201 - 53 - number
        return float((TWO_OVER_PI >> down if down >= 0 else TWO_OVER_PI << -down) & (1 << 53) - 1)
    numbers, places = np.unique(shift, return_inverse=True)
    return np.array([of(int(n)) for n in numbers])[places].reshape(np.shape(shift))


NAMES = {"abs": np.abs, "where": np.where, "floor": np.floor, "trunc": np.trunc, "sqrt": np.sqrt, "ceil": np.ceil, "round_to_even": np.rint, "isNAN": np.isnan, "isQuietNAN": is_quiet,
         "isSignalNAN": is_signaling, "cvtToQuietNAN": quieted, "isEven": is_even, "isINF": np.isinf, "isDENORM": subnormal,
         **{f.__name__: f for f in (flush, directed_result, narrowed, from_integer, exponent, frexp_exponent, fma_scaled, mantissa, sign, zero_of_sign, subnormal, ldexp, fract, fma, saturated, clipped, toward_zero,
                                    snorm, unorm, bf16_value, rounded_bf16, bf16_bits, exp2, log2, sin_of_turns, cos_of_turns,
                                    reversed_bits, bit_count, first_one, leading_zeros, leading_signs, extended_from, choose, two_over_pi)}}
