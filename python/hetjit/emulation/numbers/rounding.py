"""Exact sums and products, fused multiply-add, and the rounding modes that NumPy does not have.

A result in a directed mode is the nearest one, moved by one step where the sign of its excess (exact minus rounded) asks for it.
"""

from fractions import Fraction

import numpy as np

from .types import F2, F4, F8, U2, U4, U8

NAN = {F4: U4.type(0x7FFFFFFF), F2: U2.type(0x7FFF)}  # the one NaN that arithmetic makes; float64 may have any


def canonical(r):
    """NaNs as one."""
    bad = r != r
    if bad.any():
        bits = r.view(NAN[r.dtype].dtype)
        r = np.where(bad, NAN[r.dtype], bits).view(r.dtype)
    return r


def flush(a):
    """ftz: subnormal numbers become zero of their sign."""
    small = np.abs(a) < np.finfo(a.dtype).smallest_normal
    return np.where(small, np.copysign(a.dtype.type(0), a), a) if small.any() else a


def clamp01(r):
    """sat: into [0, 1]; NaN becomes +0."""
    return np.where(r > 0, np.minimum(r, r.dtype.type(1)), r.dtype.type(0))


def sum_error(a, b, s):
    """What s = a + b, rounded to nearest, leaves out: exact."""
    part = s - a
    return (a - (s - part)) + (b - part)


def to_odd(s, error):
    """The neighbour with an odd last bit, where a float64 sum is inexact: rounding it again then errs nowhere."""
    inexact = (error != 0) & np.isfinite(error) & ((s.view(U8) & U8.type(1)) == 0)
    if not inexact.any():
        return s
    return np.where(inexact, np.nextafter(s, np.where(error > 0, np.inf, -np.inf)), s)


def fma_odd(a, b, c):
    """a * b + c of float32 or narrower numbers as float64, exact or odd."""
    product, c = a.astype(F8) * b.astype(F8), c.astype(F8)
    s = product + c
    return to_odd(s, sum_error(product, c, s))


def split(a):
    scaled = a * 134217729.0
    top = scaled - (scaled - a)
    return top, a - top


def product_error(a, b, p):
    a1, a0 = split(a)
    b1, b0 = split(b)
    return ((a1 * b1 - p) + a1 * b0 + a0 * b1) + a0 * b0


def fma(a, b, c):
    if a.dtype != F8:
        return narrow(fma_odd(a, b, c), a.dtype)
    a, b, c = np.broadcast_arrays(a, b, c)
    p = a * b
    low = product_error(a, b, p)
    t = c + low
    v = p + t
    t_error, v_error = sum_error(c, low, t), sum_error(p, t, v)
    rest = t_error + v_error
    r = v + to_odd(rest, sum_error(t_error, v_error, rest))
    exponents = [np.frexp(x)[1] for x in (a, b, c, p)]
    tame = np.isfinite(p) & (np.abs(exponents) < 900).all(axis=0) & (exponents[3] > -800) & (np.abs(exponents[3] - exponents[2]) < 1000)
    plain = ~np.isfinite(p) & ~(np.isfinite(a) & np.isfinite(b)) | ~np.isfinite(c) | (a == 0) | (b == 0) | ((c == 0) & (np.abs(p) > 1e-290))
    finite = np.isfinite(a) & np.isfinite(b)  # an infinite c then is the sum, even if a * b overflows alone
    r = np.where(plain, np.where(finite & ~np.isfinite(c), c, p + c), r)
    odd = np.flatnonzero(~plain & ~tame)
    if odd.size:
        r = r.copy()
        for i in odd:
            r[i] = to_float(Fraction(float(a[i])) * Fraction(float(b[i])) + Fraction(float(c[i])), p[i] + c[i])
    return r


def to_float(exact, like):
    if exact == 0:
        return abs(like) * 0.0
    try:
        return float(exact)
    except OverflowError:
        return np.inf if exact > 0 else -np.inf


def narrow(x, dtype):
    """A float64 to a narrower type, once rounded."""
    return x if dtype == F8 else x.astype(dtype)


# ---- excesses: the sign of what the nearest result leaves out

def sum_excess(r, a, b):
    return sum_error(a, b, r)


def difference_excess(r, a, b):
    return sum_error(a, -b, r)


def product_excess(r, a, b):
    return a.astype(F8) * b - r if a.dtype != F8 else sign64(lambda r, a, b: a * b - r, r, a, b)


def quotient_excess(r, a, b):
    if a.dtype == F8:
        return sign64(lambda r, a, b: a / b - r if b else 0, r, a, b)
    left = a.astype(F8) - r.astype(F8) * b
    return np.where(b == 0, 0, np.where(b < 0, -left, left))


def reciprocal_excess(r, a):
    return quotient_excess(r, np.ones_like(a), a)


def root_excess(r, a):
    return a.astype(F8) - r.astype(F8) * r if a.dtype != F8 else sign64(lambda r, a: a - r * r, r, a)


def fma_excess(r, a, b, c):
    return fma_odd(a, b, c) - r if a.dtype != F8 else sign64(lambda r, a, b, c: a * b + c - r, r, a, b, c)


def sign64(function, r, *operands):
    """The sign of a difference of float64, by fractions; NaN where the rounded result is infinite and the exact one is not."""
    def one(r, *operands):
        if not np.isfinite(operands).all():
            return 0.0
        if np.isinf(r):
            return 0.0 if function(Fraction(0), *map(Fraction, operands)) == 0 else np.nan
        exact = function(*map(Fraction, (r, *operands)))
        return float((exact > 0) - (exact < 0))
    return np.array([one(*row) for row in zip(*(x.tolist() for x in np.broadcast_arrays(r, *operands)))], F8)


def directed(r, excess, mode, *operands):
    """r rounded to nearest, as mode (rz, rm, rp) would have it."""
    finite = np.logical_and.reduce([np.isfinite(x) for x in np.broadcast_arrays(*operands)])
    excess = np.where(np.isinf(r) & finite & (excess != 0), -r, excess)  # overflow: the exact value is less
    infinity = r.dtype.type(np.inf)
    down = (excess < 0) & ((mode == "rm") | ((mode == "rz") & (r > 0)))
    up = (excess > 0) & ((mode == "rp") | ((mode == "rz") & (r < 0)))
    r = np.where(finite & down, np.nextafter(r, -infinity), np.where(finite & up, np.nextafter(r, infinity), r))
    return r


def signed_zero(r, mode, a, b):
    """A sum that cancels is −0 when rounding down."""
    if mode != "rm":
        return r
    return np.where((r == 0) & (np.signbit(a) != np.signbit(b)), -np.abs(r), r)


__all__ = ["canonical", "clamp01", "difference_excess", "directed", "flush", "fma", "fma_excess", "fma_odd", "narrow", "product_excess",
           "quotient_excess", "reciprocal_excess", "root_excess", "signed_zero", "sum_excess"]
