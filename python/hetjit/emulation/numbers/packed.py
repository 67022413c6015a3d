"""Types that are bits here: pairs in a register, bfloat16, float8. Each way to take them apart and put them together."""

import numpy as np

from .types import F2, F4, F8, I2, U1, U2, U4, U8

ELEMENT = {"f16x2": F2, "u16x2": U2, "s16x2": I2, "f32x2": F4}


def packed(name, function, *operands):
    """A function of the elements on each half of a register."""
    count = max(x.size for x in operands)
    full = [np.ascontiguousarray(np.broadcast_to(x, (count,))) for x in operands]
    if name == "bf16x2":
        return brain(function, *[x.view(U2) for x in full]).view(full[0].dtype)
    element = ELEMENT[name]
    result = function(*[x.view(element) for x in full])
    return np.ascontiguousarray(result.astype(element, copy=False)).view(full[0].dtype)


def brain(function, *operands):
    """A function of float64 on bfloat16, rounded once: what is exact or odd in float64 rounds right."""
    return bf16_from(function(*[f32_from_bf16(x) for x in operands]))


def f32_from_bf16(bits):
    return (bits.astype(U4) << U4.type(16)).view(F4)


def odd32(x):
    """A float64 as float32, rounded to odd: rounding it again to fewer bits errs nowhere."""
    y = x.astype(F4)
    error = np.where(np.isfinite(y), x - y, 0)
    bits = y.view(U4)
    move = (error != 0) & ((bits & U4.type(1)) == 0)
    return np.where(move, np.nextafter(y, np.where(error > 0, F4.type(np.inf), F4.type(-np.inf))), y)


def bf16_from(x, mode="rn"):
    """float32 or float64 to the bits of bfloat16, in mode rn or rz; NaN is 0x7fff."""
    bits = (odd32(x) if x.dtype == F8 else x).view(U4)
    rounded = bits if mode == "rz" else bits + U4.type(0x7FFF) + ((bits >> U4.type(16)) & U4.type(1))
    return np.where(np.isnan(x), U2.type(0x7FFF), (rounded >> U4.type(16)).astype(U2))


# ---- float8: exponent bits, bias, the largest finite number; e4m3 has no infinity

FLOAT8 = {"e4m3": (3, 7, 448.0), "e5m2": (2, 15, 57344.0)}


def f8_from(x, name):
    """To the nearest, ties to even; what is too large becomes the largest finite number, NaN 0x7f."""
    mantissa, bias, largest = FLOAT8[name]
    x = x.astype(F8)
    magnitude = np.abs(x)
    exponent = np.maximum(np.frexp(magnitude)[1] - 1, 1 - bias)
    step = np.ldexp(1.0, exponent - mantissa)
    rounded = np.minimum(np.rint(magnitude / step) * step, largest)
    exponent = np.maximum(np.frexp(rounded)[1] - 1, 1 - bias)
    units = np.rint(rounded / np.ldexp(1.0, exponent - mantissa)).astype(np.int64)  # 2**mantissa and above: normal
    code = np.where(np.isnan(x), 0, units + ((exponent - 1 + bias) << mantissa))
    code = np.where(rounded == 0, 0, code)
    return np.where(np.isnan(x), 0x7F, code | (np.signbit(x) << 7)).astype(U1)


def f16_from_f8(bits, name):
    mantissa, bias, _ = FLOAT8[name]
    code = bits.astype(np.int64) & 0x7F
    exponent, fraction = code >> mantissa, code & ((1 << mantissa) - 1)
    value = np.where(exponent == 0, np.ldexp(fraction * 1.0, 1 - bias - mantissa),
                     np.ldexp(fraction + float(1 << mantissa), exponent - bias - mantissa))
    if name == "e4m3":
        value = np.where(code == 0x7F, np.nan, value)
    else:
        value = np.where(exponent == 31, np.where(fraction == 0, np.inf, np.nan), value)
    return np.where(bits & 0x80, -value, value).astype(F2)


def join(high, low):
    """Two halves as one register; the upper one comes first."""
    high, low = np.broadcast_arrays(high, low)
    wide = np.dtype(f"u{2 * low.dtype.itemsize}")
    return np.ascontiguousarray(np.stack([low, high], axis=-1)).view(wide).reshape(-1)


def halves(a, dtype):
    """(low, high) of each element."""
    both = np.ascontiguousarray(a).view(dtype).reshape(-1, 2)
    return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


__all__ = ["bf16_from", "brain", "f16_from_f8", "f32_from_bf16", "f8_from", "halves", "join", "packed", "U8"]
