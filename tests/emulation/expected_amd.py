"""What the programs of sources/amd/instructions.cu must leave, by NumPy, Python's integers and fractions."""

import numpy as np

from expected import each, signed
from expected_floats import exactly
from program import floats, integers, program

I32, U32, I64, U64, F16, F32, F64 = np.int32, np.uint32, np.int64, np.uint64, np.float16, np.float32, np.float64
ONLY_64 = {"pairs_of_floats", "parts_of_words"}  # instructions of gfx9
AMD_PROGRAMS = {}


def given(*types, **options):
    makers = [(floats if np.dtype(t).kind == "f" else integers)(t, k) for k, t in enumerate(types)]
    return program("instructions", makers, table=AMD_PROGRAMS, **options)


def numbered(a):
    return range(a.size)


# ---- integers

def field(x, start, length):
    return x >> start & ((1 << length) - 1)


@given(U32, U32, out=U32)
def bit_fields(a, b):
    return each(U32, lambda x, y: field(x, y & 31, 7) * 31 +
                signed(signed(x, 32) >> (y >> 5 & 31), y >> 10 & 15) if y >> 10 & 15 else field(x, y & 31, 7) * 31, a, b)


@given(U32, U32, out=U32)
def bit_mask_chosen(a, b): return each(U32, lambda x, y, i: x & y | ~x & i * 77, a, b, numbered(a))


@given(U32, U32, out=U32)
def three_operands(a, b):
    def one(x, y, i):
        z = i * 0x01234567 & 0xFFFFFFFF
        return ((x + y + z) ^ ((x << 5) + y) ^ ((x + y) << 3) ^ (x | y | z) ^ (x & y | z) ^ (x ^ y ^ z) ^ (x << 7 | y))
    return each(U32, one, a, b, numbered(a))


def permuted_bytes(high, low, selector):
    whole, found = low | high << 32, 0
    for k in range(4):
        s = selector >> 8 * k & 255
        byte = whole >> 8 * s & 255 if s < 8 else 255 * (whole >> (16 * (s - 8) + 15) & 1) if s < 12 else 0 if s == 12 else 255
        found |= byte << 8 * k
    return found


@given(U32, U32, out=U32)
def permuted(a, b): return each(U32, lambda x, y, i: permuted_bytes(x, y, 0x0d0c0a00 ^ (i & 7) * 0x01010101), a, b, numbered(a))


@given(U32, U32, out=U32)
def aligned_bytes(a, b):
    return each(U32, lambda x, y, i: ((x << 32 | y) >> 8 * (i & 3) & 0xFFFFFFFF) + ((x << 32 | y) >> (i & 31) & 0xFFFFFFFF), a, b, numbered(a))


def apart(x, y, bits, masked=False):
    pairs = [(field(x, k, bits), field(y, k, bits)) for k in range(0, 32, bits)]
    return sum(abs(p - q) for p, q in pairs if q or not masked)


@given(U32, U32, out=U32)
def sums_of_differences(a, b):
    return each(U32, lambda x, y: apart(x, y, 8) + 1000 + 3 * apart(x, y, 16) + 5 * ((apart(x, y, 8) << 16) + 9) +
                7 * (apart(x, y, 8, True) + 1), a, b)


@given(U32, U32, out=U32)
def lerped(a, b):
    def one(x, y):
        z = x ^ y
        return sum((field(x, k, 8) + field(y, k, 8) + (z >> k & 1) >> 1) << k for k in range(0, 32, 8))
    return each(U32, one, a, b)


@given(I32, I32, out=I32)
def medians(a, b):
    def one(x, y, i):
        z, low, high = i * 1000003, min(x, y), max(x, y)
        return min(max(low, z), high) + 3 * min(low, z) + 5 * max(high, z)
    return each(I32, one, a, b, numbered(a))


@given(U32, U32, out=U64)
def wide_products(a, b):
    def one(x, y):
        first = x * y + (x << 20) & 2**64 - 1
        return first * 3 + signed(x, 32) * signed(y, 32) + first
    return each(U64, one, a, b)


@given(U32, U32, out=U64)
def carried(a, b):
    return each(U64, lambda x, y: ((x << 32 | y) + (y << 32 | x)) ^ (((x << 31 | y) - (y << 32 | x)) * 3 & 2**64 - 1), a, b)


@given(I32, U32, out=I32)
def counted(a, b):
    return each(I32, lambda x, y: (31 - (~x if x < 0 else x).bit_length()) * 1000 + y.bit_count() + (int(f"{y:032b}"[::-1], 2) >> 20), a, b)


@given(U32, U32, out=U32)
def packed_shorts(a, b):
    def one(x, y):
        found = 0
        for k in (0, 16):
            u, v = field(x, k, 16), field(y, k, 16)
            s, t = signed(u, 16), signed(v, 16)
            r = (u + v) * (u - v) + (u << (v & 15)) + (u >> (v & 15))
            q = min(s, t) + max(s, signed(-t, 16)) + (s >> (t & 15))
            found |= ((r ^ q) & 0xFFFF) << k
        return found
    return each(U32, one, a, b)


@given(I32, I32, out=U32)
def saturated_sums(a, b):
    def one(x, y):
        return (min(max(x + y, -2**31), 2**31 - 1) ^ max((x & 0xFFFFFFFF) - (y & 0xFFFFFFFF), 0) ^
                min(max(signed(x, 16) - signed(y, 16), -2**15), 2**15 - 1) * 5)
    return each(U32, one, a, b)


@given(I32, I32, out=I32)
def dot_products(a, b):
    return each(I32, lambda x, y, i: i + sum(signed(field(x, k, 8), 8) * signed(field(y, k, 8), 8) for k in range(0, 32, 8)), a, b, numbered(a))


@given(U32, U32, out=U64)
def scalars(a, b):
    found = []
    for block in range(4):
        per_wave = [int(a[64 * block]) << 20] * 64
        y = int(b[block])
        q = (y << (y & 31)) ^ (32 - (y | 1).bit_length()) ^ (signed(y, 32) >> 3) ^ min(signed(y, 32), 1000) ^ y * 77 ^ ~(y & 0xF0F0)
        for x in per_wave:
            trailing = ((x | 1 << 50) & -(x | 1 << 50)).bit_length() - 1
            r = (x >> (y & 63)) + x.bit_count() + x * y + trailing + (signed(x, 64) >> 7)
            found.append((r ^ q & 0xFFFFFFFF) & 2**64 - 1)
    return np.array(found, U64)


# ---- floats

def middle(x, y, z):
    """The second of three; with a NaN the least of the numbers (v_med3_f32)."""
    low = np.fmin(np.fmin(x, y), z)
    found = np.where(np.fmax(np.fmax(x, y), z) == x, np.fmax(y, z), np.where(np.fmax(np.fmax(x, y), z) == y, np.fmax(x, z), np.fmax(x, y)))
    return np.where(np.isnan(x) | np.isnan(y) | np.isnan(z), low, found)


@given(F32, F32, out=F32)
def three_floats(a, b):
    z = np.arange(a.size, dtype=F32) * F32(0.25) - F32(20)
    return middle(a, b, z) + (np.fmin(np.fmin(a, b), z) - np.fmax(np.fmax(a, b), z)) * F32(0.5)


def fused(a, b, c):
    return exactly(a.dtype.type, "n", lambda x, y, z: x * y + z, lambda x, y, z: x * y + z, a, b, c)


@given(F32, F32, out=F32)
def modified(a, b):
    return -np.abs(a) * -b + fused(-a, np.abs(b), np.full_like(a, -2))


@given(F32, F32, out=F32)
def clamped(a, b): return np.nan_to_num(np.clip(a * -np.abs(b), F32(0), F32(1)), nan=0) + F32(0)


def apart_in_powers(a):
    """Mantissa from 1/2 and exponent; of what is none of both, itself and 0."""
    mantissa, exponent = np.frexp(a)
    return np.where(np.isfinite(a), mantissa, a).astype(F64), np.where(np.isfinite(a), exponent, 0)


@given(F64, F32, out=F64)
def taken_apart(a, b):
    (m, e), (n, f) = apart_in_powers(a), apart_in_powers(b)
    return ((m + e * 4) + n * 1024) + f * 65536.0


@given(F64, I32, out=F64)
def scaled(a, b): return np.ldexp(a, np.fmod(b, 1100))


@given(F32, I32, out=F32)
def scaled_float(a, b): return np.ldexp(a, np.fmod(b, 160))


@given(F64, F32, out=F64)
def fractions(a, b):
    a, b = np.abs(a), np.abs(b)
    return (a - np.floor(a)) + (b - np.floor(b)) * F32(4)


def kinds(a):
    normal = np.abs(a) >= np.finfo(a.dtype).smallest_normal
    low = np.signbit(a)
    tests = [a != a, a == -np.inf, low & normal & np.isfinite(a), low & ~normal & (a != 0), low & (a == 0), ~low & (a == 0), ~low & ~normal & (a != 0),
             ~low & normal & np.isfinite(a), a == np.inf]
    return sum((test & ((a == a) | (k == 0))).astype(U32) << (k + 1) for k, test in enumerate(tests))


@given(F64, F32, out=U32)
def classes(a, b): return kinds(a) | kinds(b) << 16


@given(F64, F64, out=F64)
def rounded_doubles(a, b): return ((np.rint(a) + np.floor(b) * 4) + np.ceil(a) * 2) + np.trunc(b)


@given(F64, F64, out=F64)
def divided_doubles(a, b): return a / b


@given(F64, F64, out=F64)
def roots_of_doubles(a, b): return np.sqrt(np.abs(a))


@given(F32, F32, out=F32)
def roots_of_floats(a, b): return np.sqrt(np.abs(a))


def to_half(a, instead):
    """Towards zero."""
    a = np.where(np.isnan(a), F32(instead), a)
    near = a.astype(F16)
    return np.where(np.abs(near.astype(F32)) > np.abs(a), np.nextafter(near, F16(0)), near).view(np.uint16).astype(U32)


@given(F32, F32, out=U32)
def to_halves(a, b): return to_half(a, 0) | to_half(b, 1) << 16


HALVES = [lambda: np.resize(floats(F16, 0)(), 512), lambda: np.resize(floats(F16, 1)(), 512)]


@program("instructions", HALVES, out=F16, count=256, table=AMD_PROGRAMS)
def packed_halves(a, b): return fused(a, b, a) - b * F16(0.5)


@given(F16, F32, out=F32)
def mixed_halves(a, b): return fused(a.astype(F32), b, a.astype(F32))


@given(U32, U32, out=F32)
def bytes_to_floats(a, b):
    parts = [(a >> k & 255).astype(F32) for k in (0, 8, 16, 24)]
    return ((parts[0] + parts[1] * F32(256)) + parts[2] * F32(0.5)) + parts[3] * F32(0.001953125)


@given(F32, F32, out=F32, count=128)
def pairs_of_floats(a, b):
    (al, ah), (bl, bh) = a.reshape(-1, 2).T, b.reshape(-1, 2).T
    return np.stack([fused(al, bl, al) - al * bh, fused(ah, bl, ah) - ah * bl], axis=1).reshape(-1)


@given(U32, U32, out=U32)
def parts_of_words(a, b):
    return each(U32, lambda x, y: (x >> 8 & 255) + signed(y >> 16, 16) + (x & ~0xFF0000 | ((x >> 24) * (y & 255) & 255) << 16), a, b)


# ---- lanes

@given(I32, I32, out=I32)
def rows_moved(a, b):
    def one(i, x, y):
        lane, row = i % 16, i // 16
        first = int(a[i - 1]) if lane >= 1 else y
        second = int(a[i + 2]) if lane < 14 else 0
        third = int(a[16 * row + (lane - 1) % 16])
        return first + 3 * second + 5 * third + 7 * (int(a[i ^ 3]) if row % 2 == 0 and lane < 8 else y)
    return each(I32, one, numbered(a), a, b)


@given(I32, I32, out=I32)
def swizzled(a, b):
    return each(I32, lambda i: int(a[i ^ 3]) + 3 * int(a[i ^ 1]) + 5 * int(a[i & ~31 | (i & 7 | 8) ^ 4]), numbered(a))


@given(I32, I32, out=I32)
def sent_to_lanes(a, b, wave=64):
    return each(I32, lambda i: int(a[i ^ 3]) + 3 * int(a[i & -wave | (i + 5) & wave - 1]), numbered(a))


@given(I32, I32, out=I32)
def one_lane(a, b, wave=64):
    def one(i, y):
        first = i // wave * wave
        return int(a[first + 5]) + 3 * int(a[first]) + (77 if i % wave == 9 else y)
    return each(I32, one, numbered(a), b)


# ---- memory

@given(np.int8, np.uint16, out=I64)
def narrow_accesses(a, b):
    shorts = a.view(np.int16)
    return each(I64, lambda i: int(a[i]) + 1000 * (int(a[i ^ 1]) & 255) + 1000000 * int(shorts[i // 2]) + 1000000000 * int(b[i]), numbered(a))


@given(U32, U32, out=U32, count=64)
def wide_accesses(a, b):
    t = np.arange(64)
    y, z = a.reshape(-1, 4)[t ^ 1], b.reshape(-1, 4)[t ^ 2]
    return np.stack([y[:, 0] + z[:, 0], y[:, 1] ^ z[:, 1], y[:, 2] - z[:, 2], y[:, 3]], axis=1).reshape(-1)


@given(np.int16, np.uint8, out=I32)
def shared_shorts(a, b):
    i = np.arange(a.size)
    return a[i ^ 63].astype(I32) * 256 + b[i ^ 7]


@given(U32, U32, out=U32, size=48)
def shared_atomics(a, b):
    found = []
    for x, y in zip(a.reshape(-1, 64).astype(object), b.reshape(-1, 64).astype(object)):
        total, most = sum(x) % 2**64, max(p << 20 | q for p, q in zip(x, y))
        union, other = 0, 0
        for p, q in zip(x, y):
            union, other = union | p & q, other ^ q
        words = [sum(x), min(x), max(y), union, other, 64 % 41, max(0, *(signed(p, 32) for p in x)), 0, total, total >> 32, most, most >> 32]
        found += [w & 0xFFFFFFFF for w in words]
    return np.array(found, U32)


@given(U64, U64, out=U64, size=5, start=np.array([1, 2**64 - 1, 2**63, 2**64 - 1, 0], U64))
def wide_atomics(a, b):
    return np.array([(1 + sum(map(int, a))) % 2**64, a.min(), b.view(I64).max().astype(U64), np.bitwise_and.reduce(a | U64(0xFFFF)),
                     np.bitwise_xor.reduce(b)], U64)
