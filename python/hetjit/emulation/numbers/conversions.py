"""One number as another, with rounding modes and saturation."""

import numpy as np

from .packed import bf16_from, f16_from_f8, f8_from, halves, join
from .rounding import canonical, directed
from .types import F2, F8, U4

INTEGRAL = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}


def int_to_int(a, dtype):
    """sat: clamped to what the type holds."""
    limits, own = np.iinfo(dtype), np.iinfo(a.dtype)
    return np.clip(a, max(limits.min, own.min), min(limits.max, own.max)).astype(dtype)


def float_to_int(a, mode, dtype):
    """Clamped; NaN becomes 0."""
    limits = np.iinfo(dtype)
    x = INTEGRAL[mode](a.astype(F8))
    low, high = float(limits.min), float(limits.max) if dtype.itemsize < 8 else float(limits.max + 1)
    over = x >= high
    inside = np.where(np.isnan(x) | over, 0.0, np.maximum(x, low))
    return np.where(over, dtype.type(limits.max), inside.astype(dtype))


def int_to_float(a, dtype, mode):
    r = a.astype(F8).astype(dtype) if dtype == F2 else a.astype(dtype)
    if mode == "rn":
        return r
    exact = np.array([int(x) - int(y) if np.isfinite(y) else -1 for x, y in zip(a, r)], F8)
    return directed(r, exact, mode, a)


def narrowed(a, dtype, mode):
    """A float to a narrower one."""
    r = canonical(a.astype(dtype)) if dtype != F8 else a.astype(dtype)
    if mode == "rn":
        return r
    return directed(r, a.astype(F8) - r.astype(F8), mode, a)


def to_bf16(a, mode):
    return bf16_from(a, mode)


def relu(a):
    return np.where((a > 0) | np.isnan(a), a, a.dtype.type(0))


def finite(a):
    """satfinite: infinities and what is beyond become the largest number."""
    largest = np.finfo(a.dtype).max
    return np.clip(a, -largest, largest)


def to_tf32(a, mode):
    """19 bits of a float32; rna rounds ties away from zero."""
    bits = a.view(U4)
    if mode == "rna":
        bits = bits + U4.type(0x1000)
    elif mode == "rn":
        bits = bits + U4.type(0xFFF) + ((bits >> U4.type(13)) & U4.type(1))
    return np.where(np.isfinite(a), bits & ~U4.type(0x1FFF), a.view(U4))


def pair_to_f8(high, low, name):
    return join(f8_from(high, name), f8_from(low, name))


def f16x2_to_f8(a, name):
    low, high = halves(a, F2)
    return pair_to_f8(high, low, name)


def f8_to_f16x2(a, name):
    low, high = halves(a, np.dtype(np.uint8))
    return join(f16_from_f8(high, name), f16_from_f8(low, name))
