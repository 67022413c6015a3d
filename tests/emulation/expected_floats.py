"""What the programs of sources/floats.cu must leave: exactly, by fractions, and rounded here."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np

from program import floats, integers, program, ulps

I32, U32, I64, U64 = np.int32, np.uint32, np.int64, np.uint64
F32, F64 = np.float32, np.float64


def reals(dtype, *more, **options):
    types = (dtype, *(more or (dtype,)))
    return program("floats", [(floats if np.dtype(t).kind == "f" else integers)(t, k) for k, t in enumerate(types)], **options)


def rounded(exact, dtype, mode):
    """A Fraction to a format: nearest even, or towards one side."""
    info = np.finfo(dtype)
    if exact == 0:
        return dtype(0)
    scale = max(math.floor(math.log2(abs(exact.numerator)) - math.log2(exact.denominator)) + 1, info.minexp + 1)
    while abs(exact) < Fraction(2) ** (scale - 1) and scale > info.minexp + 1:
        scale -= 1
    while abs(exact) >= Fraction(2) ** scale:
        scale += 1
    step = Fraction(2) ** (scale - 1 - info.nmant)
    units = exact / step
    below = units.numerator // units.denominator
    if mode == "n":
        rest = units - below
        below += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and below % 2)
    elif units != below:
        below += {"d": 0, "u": 1, "z": int(exact < 0)}[mode]
    value = below * step
    largest = Fraction(int(info.max)) if dtype != np.float64 else Fraction(float(info.max))
    if abs(value) > largest:
        inward = mode == "z" or (mode == "d" and exact > 0) or (mode == "u" and exact < 0)
        return dtype(info.max if inward else np.inf) * dtype(1 if exact > 0 else -1)
    return dtype(float(value)) if value else dtype(-0.0 if exact < 0 else 0.0)


def exactly(dtype, mode, operation, ordinary, *columns):
    """`operation` on fractions where all are finite; elsewhere, and for zero results, what NumPy says."""
    found = []
    for row in zip(*columns):
        plain = ordinary(*map(dtype, row))
        if not all(map(np.isfinite, row)) or (plain == 0 and operation(*map(Fraction, map(float, row))) == 0) or \
                not np.isfinite(ordinary(*row)) and not np.isinf(plain):
            found.append(plain)
            continue
        try:
            found.append(rounded(operation(*map(Fraction, map(float, row))), dtype, mode))
        except ZeroDivisionError:
            found.append(plain)
    return np.array(found, dtype)


def exact(dtype, name, mode, operation, ordinary, used="ab"):
    """Registers a program of one exact operation in one rounding mode."""
    def expect(a, b):
        return exactly(dtype, mode, operation, ordinary, *[{"a": a, "b": b, "n": -a}[u] for u in used])
    expect.__name__ = name
    reals(dtype, out=dtype)(expect)


exact(F32, "add_nearest", "n", lambda x, y: x + y, lambda x, y: x + y)
exact(F64, "add_up_double", "u", lambda x, y: x + y, lambda x, y: x + y)
exact(F32, "multiply_to_zero", "z", lambda x, y: x * y, lambda x, y: x * y)
exact(F64, "multiply_down_double", "d", lambda x, y: x * y, lambda x, y: x * y)
exact(F32, "divide_nearest", "n", lambda x, y: x / y, lambda x, y: x / y)
exact(F32, "divide_up", "u", lambda x, y: x / y, lambda x, y: x / y)
exact(F64, "divide_to_zero_double", "z", lambda x, y: x / y, lambda x, y: x / y)
exact(F32, "reciprocal_down", "d", lambda x: 1 / x, lambda x: x.dtype.type(1) / x, "a")
exact(F32, "fused", "n", lambda x, y, z: x * y + z, lambda x, y, z: x * y + z, "abn")
exact(F64, "fused_double", "n", lambda x, y, z: x * y + z, lambda x, y, z: x * y + z, "abn")
exact(F32, "fused_to_zero", "z", lambda x, y, z: x * y + z, lambda x, y, z: x * y + z, "abb")
exact(F64, "fused_up_double", "u", lambda x, y, z: x * y + z, lambda x, y, z: x * y + z, "abb")


@reals(F32, out=F32)
def add_down(a, b):
    result = exactly(F32, "d", lambda x, y: x + y, lambda x, y: x + y, a, b)
    cancelled = (result == 0) & ~(np.signbit(a) == np.signbit(b))
    return np.where(cancelled, F32(-0.0), result)


def root(a, dtype, mode):
    """By integers: the largest number whose square is not above."""
    found = []
    for x in np.abs(a).tolist():
        near = dtype(math.sqrt(x)) if x == x else dtype(x)
        if np.isfinite(near):
            error = Fraction(float(x)) - Fraction(float(near)) ** 2
            if mode == "u" and error > 0:
                near = np.nextafter(near, dtype(np.inf))
            if mode == "d" and error < 0:
                near = np.nextafter(near, dtype(0))
        found.append(near)
    return np.array(found, dtype)


@reals(F32, out=F32)
def root_up(a, b): return root(a, F32, "u")


@reals(F64, out=F64)
def root_down_double(a, b): return root(a, F64, "d")


def no_subnormals(x):
    return np.where(np.abs(x) < np.finfo(F32).smallest_normal, np.copysign(F32(0), x), x)


@reals(F32, out=F32)
def flushed(a, b): return no_subnormals(no_subnormals(a) * no_subnormals(b))


@reals(F32, out=F32)
def saturated(a, b): return np.nan_to_num(np.clip(a + b, F32(0), F32(1)), nan=0) + F32(0)


@reals(F32, out=F32)
def least(a, b): return np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.where((a == 0) & (b == 0), -np.maximum(
    np.copysign(F32(1), -a), np.copysign(F32(1), -b)) * 0, np.where(a < b, a, b))))


@reals(F64, out=F64)
def most_double(a, b):
    return np.where((a == 0) & (b == 0), np.where(np.signbit(a), b, a), np.fmax(a, b))


@reals(F32, out=F32)
def least_or_nan(a, b):
    return np.where((a == 0) & (b == 0), np.where(np.signbit(a), a, b), np.minimum(a, b))


@reals(F32, out=F32)
def signs(a, b): return np.copysign(a, b) + -np.abs(b)


@reals(F32, out=U32)
def compared(a, b):
    tests = [a < b, a <= b, a == b, a != b, a >= b, a > b, ~(a < b), ~(a >= b), np.isnan(a) | np.isnan(b)]
    return sum(t.astype(U32) << k for k, t in enumerate(tests))


@reals(F32, F64, out=U32)
def classified(a, b):
    tests = [np.isfinite(a), np.isinf(a), np.isnan(b), np.isfinite(b), np.signbit(a)]
    return sum(t.astype(U32) << k for k, t in enumerate(tests))


@reals(F32, out=F32, compare=ulps(2))
def approximate_sine(a, b): return np.sin(a.astype(F64))


@reals(F32, out=F32, compare=ulps(4))
def approximate_exponential(a, b): return np.exp2(a.astype(F64))


@reals(F32, out=F32, compare=ulps(4))
def approximate_logarithm(a, b): return np.log2(np.abs(a.astype(F64)))


@reals(F32, out=F32, compare=ulps(2))
def approximate_root(a, b): return 1 / np.sqrt(np.abs(a.astype(F64)))


@reals(F64, out=F64, compare=ulps(4, below=1e300))
def library_sine(a, b): return np.sin(a)


@reals(F64, out=F64, compare=ulps(4))
def library_power(a, b): return np.power(np.abs(a), b)


def to_integer(a, way, dtype):
    limits = np.iinfo(dtype)
    return np.array([0 if math.isnan(x) else limits.max if x == math.inf else limits.min if x == -math.inf else
                     max(limits.min, min(limits.max, way(x))) for x in a.astype(F64).tolist()], dtype)


@reals(F32, out=I32)
def to_int(a, b): return to_integer(a, math.trunc, I32)


@reals(F32, out=U32)
def to_unsigned_nearest(a, b): return to_integer(a, round, U32)


@reals(F64, out=I64)
def to_long_up(a, b):
    return to_integer(a, math.ceil, I64)


@reals(F32, out=U64)
def to_unsigned_long_down(a, b): return to_integer(a, math.floor, U64)


@reals(F32, out=I32)
def to_char(a, b):
    return to_integer(a, math.trunc, np.int8).astype(I64) * 65536 + to_integer(a, round, np.uint16)


@reals(I64, out=F32)
def from_long(a, b): return np.array([rounded(Fraction(int(x)), F32, "n") for x in a])


@reals(I64, out=F32)
def from_long_down(a, b): return np.array([rounded(Fraction(int(x)), F32, "d") for x in a])


@reals(U64, out=F64)
def from_unsigned_long_up(a, b): return np.array([rounded(Fraction(int(x)), F64, "u") for x in a])


@reals(F64, out=F32)
def narrowed(a, b): return a.astype(F32)


@reals(F64, out=F32)
def narrowed_to_zero(a, b):
    near = a.astype(F32)
    return np.where(np.abs(near.astype(F64)) > np.abs(a), np.nextafter(near, F32(0)), near)


@reals(F32, out=F32)
def rounded_four_ways(a, b): return np.rint(a) + np.floor(b) * F32(4) + np.ceil(a) * F32(2) + np.trunc(b)


@reals(I32, I64, out=I32)
def int_saturated(a, b): return np.clip(a, -128, 127) ^ np.clip(b, 0, 2**32 - 1).astype(U32).view(I32)


# ---- small formats

F16, BF16 = np.float16, ml_dtypes.bfloat16


@reals(F16, out=F16)
def half_sum(a, b): return a + b


@reals(F16, out=F16)
def half_fused(a, b): return exactly(F16, "n", lambda x, y, z: x * y + z, lambda x, y, z: x * y + z, a, b, a)


@reals(F32, out=F16)
def half_from_float(a, b): return a.astype(F16)


@reals(F32, out=F16)
def half_to_zero(a, b):
    near = a.astype(F16)
    too_far = np.abs(near.astype(F32)) > np.abs(a)
    return np.where(too_far, np.nextafter(near, F16(0)), near)


@program("floats", [lambda: np.resize(floats(F16, 0)(), 512), lambda: np.resize(floats(F16, 1)(), 512)], out=F16, count=256)
def half_pairs(a, b): return a * b


@reals(F16, out=F16)
def half_least(a, b):
    return np.where((a == 0) & (b == 0), np.where(np.signbit(a), a, b), np.fmin(a, b))


def to_brain(exact_value):
    """By fractions, to 8 bits of precision."""
    near = F32(rounded(exact_value, F64, "z"))
    low = (np.array([near]).view(U32) & U32(0xFFFF0000)).view(F32)[0]
    around = [np.array([low.view(U32) + U32(d)]).view(F32)[0] for d in (0, 0x10000)]
    around.append(F32(-0.0) if exact_value < 0 else F32(0))
    best = min((v for v in around if np.isfinite(v)), key=lambda v: (
        abs(Fraction(float(v)) - exact_value), int(np.array([v]).view(U32)[0]) >> 16 & 1))
    return best


def brains(seed):
    def make():
        values = floats(F32, seed)()
        return np.where(np.abs(values) < 1e15, values, F32(3)).astype(BF16)
    return make


@program("floats", [brains(3), brains(4)], out=BF16)
def brain_fused(a, b):
    rows = zip(a.astype(F64).tolist(), b.astype(F64).tolist())
    exact_values = [Fraction(x) * Fraction(y) + Fraction(y) for x, y in rows]
    return np.array([to_brain(e) if e else F32(x * y + y) for e, x, y in zip(
        exact_values, a.astype(F64), b.astype(F64))]).astype(BF16)


@reals(F32, out=BF16)
def brain_from_float(a, b): return a.astype(BF16)


@reals(F32, out=np.uint8)
def tiny_e4m3(a, b): return tiny(a, ml_dtypes.float8_e4m3fn, 448)


@reals(F32, out=np.uint8)
def tiny_e5m2(a, b): return tiny(a, ml_dtypes.float8_e5m2, 57344)


def tiny(a, kind, largest):
    return np.where(np.isnan(a), 0x7F, np.clip(a, F32(-largest), F32(largest)).astype(kind).view(np.uint8))


@program("floats", [lambda: np.arange(256, dtype=np.uint8)] * 2, out=F16)
def tiny_to_half(a, b): return a.view(ml_dtypes.float8_e4m3fn).astype(F16)
