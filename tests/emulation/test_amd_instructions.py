"""Single instructions of AMD's against results that were computed by something else: integers, fractions, NumPy's scalars."""

import math
from fractions import Fraction

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("tinygrad", reason="tinygrad is not installed for this Python")

from amd_instructions import WAVES, Wave

BOTH, CDNA, RDNA = ("gfx942", "gfx1100"), ("gfx942",), ("gfx1100", "gfx1201")
M32 = (1 << 32) - 1
DRAW = np.random.default_rng(11)


def numbers(kind, place):
    """64 numbers of a type, the troublesome ones first; another order for each operand."""
    dtype = np.dtype(kind)
    if dtype.kind == "f":
        info = np.finfo(dtype)
        some = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, np.inf, -np.inf, np.nan, info.max, -info.max, info.tiny, info.smallest_subnormal,
                info.tiny / 3, 3.25, -7.75, 1e3, 255.5, -0.3]
        rest = DRAW.normal(size=64 - len(some)) * 2.0 ** DRAW.integers(-12, 12, 64 - len(some))
        values = np.array([*some, *rest]).astype(dtype)
    else:
        info = np.iinfo(dtype)
        some = [0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 127, 128, 255, info.max, info.min, info.max - 1, info.max // 2, info.max // 3]
        values = np.array([*some, *(int(x) for x in DRAW.integers(info.min, info.max, 64 - len(some), dtype=dtype, endpoint=True))]).astype(dtype)
    return np.random.default_rng(place).permutation(values)


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def exact(function, dtype):
    """A function of fractions, rounded once to a type; NumPy's where that has no fractions."""
    kind = np.dtype(dtype).type

    def of(*operands):
        if all(np.isfinite(x) for x in operands):
            value = function(*(Fraction(float(x)) for x in operands))
            if value:
                return rounded(value, kind)
        return function(*(np.float64(x) if kind is not np.float64 else x for x in operands))
    return of


def rounded(value, kind):
    """To the nearest, ties to even."""
    info = np.finfo(kind)
    exponent = max(math.floor(math.log2(abs(value.numerator)) - math.log2(value.denominator)) - 1, info.minexp)
    step = Fraction(2) ** (exponent - info.nmant + (1 if abs(value) >= Fraction(2) ** (exponent + 1) else 0))
    while abs(value) / step >= 1 << info.nmant + 1:
        step *= 2
    whole = round(value / step) * step
    if not whole:
        return kind(-0.0 if value < 0 else 0.0)
    return kind(math.inf if value > 0 else -math.inf) if abs(whole) > Fraction(float(info.max)) else kind(float(whole))


def smaller(a, b):
    """min of IEEE 754-2008, -0 below 0."""
    if np.isnan(a) or np.isnan(b):
        return b if np.isnan(a) else a
    return min(a, b) if a != b else a if np.signbit(a) else b


def larger(a, b):
    if np.isnan(a) or np.isnan(b):
        return b if np.isnan(a) else a
    return max(a, b) if a != b else b if np.signbit(a) else a


def to_integer(low, high):
    def of(x):
        return 0 if np.isnan(x) else high if x >= high else low if x <= low else int(x)
    return of


def class_of(x, mask):
    kind = 1 if np.isnan(x) else (2 if x < 0 else 9) if np.isinf(x) else (5 if np.signbit(x) else 6) if x == 0 else (
        (3 if x < 0 else 8) if abs(x) >= np.finfo(x.dtype).tiny else 4 if x < 0 else 7)
    return int(mask) >> kind & 1


def permuted(a, b, select):
    data, result = int(a) << 32 | int(b), 0
    for byte in range(4):
        pick = int(select) >> 8 * byte & 255
        if pick < 8:
            value = data >> 8 * pick & 255
        elif pick < 12:
            value = 255 * (data >> (15, 31, 47, 63)[pick - 8] & 1)
        else:
            value = 0 if pick == 12 else 255
        result |= value << 8 * byte
    return result


def lowest(bits):
    return (bits & -bits).bit_length() - 1 if bits else M32


def highest(bits):
    return 32 - bits.bit_length() if bits else M32


def halves(function, kind="f2"):
    """A function of 16 bits on both halves; None if a half is no number."""
    def of(*operands):
        parts = []
        for shift in (0, 16):
            values = [np.array(int(x) >> shift & 0xFFFF, np.uint16).view(kind)[()] for x in operands]
            result = np.asarray(function(*values)).astype(kind)
            if result != result:
                return None
            parts.append(int(result.view(np.uint16)))
        return parts[0] | parts[1] << 16
    return of


def cut(x):
    """The bits of a float16 towards zero."""
    near = np.float16(x)
    return int((np.nextafter(near, np.float16(0)) if abs(float(near)) > abs(float(x)) else near).view(np.uint16))


def words(x):
    return np.array(x, np.uint64).reshape(1).view(np.float32)


def joined(pair):
    pair = np.array(pair, np.float32)
    return None if np.isnan(pair).any() else int(pair.view(np.uint64)[0])


FMA = exact(lambda a, b, c: a * b + c, "f4")
U, I, F, D, H = "u4", "i4", "f4", "f8", "f2"

# (architectures, assembly, types of v0, v2 and v4, type of v6, what one lane gets). Integers are taken modulo the type.
ROWS = [
    (CDNA, "v_add_u32 v6, v0, v2", U + U, U, lambda a, b: a + b),
    (RDNA, "v_add_nc_u32 v6, v0, v2", U + U, U, lambda a, b: a + b),
    (BOTH, "v_mul_lo_u32 v6, v0, v2", U + U, U, lambda a, b: a * b),
    (BOTH, "v_mul_hi_u32 v6, v0, v2", U + U, U, lambda a, b: a * b >> 32),
    (BOTH, "v_mul_hi_i32 v6, v0, v2", I + I, I, lambda a, b: a * b >> 32),
    (BOTH, "v_mul_i32_i24 v6, v0, v2", U + U, U, lambda a, b: signed(a, 24) * signed(b, 24)),
    (BOTH, "v_mad_u32_u24 v6, v0, v2, v4", U + U + U, U, lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c),
    (CDNA, "v_mad_u64_u32 v[6:7], vcc, v0, v2, v[4:5]", U + U + "u8", "u8", lambda a, b, c: a * b + c),
    (RDNA, "v_mad_i64_i32 v[6:7], vcc_lo, v0, v2, v[4:5]", I + I + "i8", "i8", lambda a, b, c: a * b + c),
    (CDNA, "v_lshl_add_u64 v[6:7], v[0:1], 3, v[2:3]", "u8u8", "u8", lambda a, b: (a << 3) + b),
    (BOTH, "v_lshlrev_b64 v[6:7], v0, v[2:3]", "u4u8", "u8", lambda a, b: b << (a & 63)),
    (BOTH, "v_ashrrev_i64 v[6:7], v0, v[2:3]", "u4i8", "i8", lambda a, b: b >> (a & 63)),
    (BOTH, "v_ashrrev_i32 v6, v0, v2", U + I, I, lambda a, b: b >> (a & 31)),
    (BOTH, "v_lshl_or_b32 v6, v0, v2, v4", U + U + U, U, lambda a, b, c: a << (b & 31) | c),
    (BOTH, "v_bfe_u32 v6, v0, v2, v4", U + U + U, U, lambda a, b, c: a >> (b & 31) & (1 << (c & 31)) - 1),
    (BOTH, "v_bfe_i32 v6, v0, v2, v4", I + U + U, I, lambda a, b, c: signed(a >> (b & 31), c & 31) if c & 31 else 0),
    (BOTH, "v_bfi_b32 v6, v0, v2, v4", U + U + U, U, lambda a, b, c: a & b | ~a & c),
    (BOTH, "v_alignbit_b32 v6, v0, v2, v4", U + U + U, U, lambda a, b, c: (a << 32 | b) >> (c & 31)),
    (BOTH, "v_alignbyte_b32 v6, v0, v2, v4", U + U + U, U, lambda a, b, c: (a << 32 | b) >> 8 * (c & 3)),
    (BOTH, "v_perm_b32 v6, v0, v2, v4", U + U + U, U, permuted),
    (BOTH, "v_add3_u32 v6, v0, v2, v4", U + U + U, U, lambda a, b, c: a + b + c),
    (BOTH, "v_xad_u32 v6, v0, v2, v4", U + U + U, U, lambda a, b, c: (a ^ b) + c),
    (BOTH, "v_med3_i32 v6, v0, v2, v4", I + I + I, I, lambda *x: sorted(x)[1]),
    (BOTH, "v_med3_u32 v6, v0, v2, v4", U + U + U, U, lambda *x: sorted(x)[1]),
    (BOTH, "v_min3_i32 v6, v0, v2, v4", I + I + I, I, lambda *x: min(x)),
    (BOTH, "v_sad_u32 v6, v0, v2, v4", U + U + U, U, lambda a, b, c: abs(a - b) + c),
    (BOTH, "v_sad_u8 v6, v0, v2, v4", U + U + U, U, lambda a, b, c: sum(abs((a >> k & 255) - (b >> k & 255)) for k in (0, 8, 16, 24)) + c),
    (BOTH, "v_lerp_u8 v6, v0, v2, v4", U + U + U, U,
     lambda a, b, c: sum(((a >> k & 255) + (b >> k & 255) + (c >> k & 1) >> 1) << k for k in (0, 8, 16, 24))),
    (BOTH, "v_bfrev_b32 v6, v0", U, U, lambda a: int(f"{a:032b}"[::-1], 2)),
    (CDNA, "v_ffbh_u32 v6, v0", U, U, highest), (CDNA, "v_ffbl_b32 v6, v0", U, U, lowest),
    (CDNA, "v_ffbh_i32 v6, v0", I, U, lambda a: highest(a if a >= 0 else ~a)),
    (RDNA, "v_clz_i32_u32 v6, v0", U, U, highest), (RDNA, "v_ctz_i32_b32 v6, v0", U, U, lowest),
    (BOTH, "v_bcnt_u32_b32 v6, v0, v2", U + U, U, lambda a, b: a.bit_count() + b),
    (CDNA, "v_add_u16 v6, v0, v2", "u2u2", "u2", lambda a, b: a + b), (RDNA, "v_sub_nc_u16 v6, v0, v2", "u2u2", "u2", lambda a, b: a - b), (BOTH, "v_mul_lo_u16 v6, v0, v2", "u2u2", "u2", lambda a, b: a * b),
    (BOTH, "v_ashrrev_i16 v6, v0, v2", "u2i2", "i2", lambda a, b: b >> (a & 15)),
    (BOTH, "v_mad_i32_i16 v6, v0, v2, v4", "i2i2" + I, I, lambda a, b, c: a * b + c),
    (BOTH, "v_pk_add_u16 v6, v0, v2", U + U, U, halves(lambda a, b: int(a) + int(b) & 0xFFFF, "u2")),
    (BOTH, "v_pk_mul_lo_u16 v6, v0, v2", U + U, U, halves(lambda a, b: int(a) * int(b) & 0xFFFF, "u2")),
    (BOTH, "v_pk_max_i16 v6, v0, v2", U + U, U, halves(max, "i2")),
    (BOTH, "v_pk_add_f16 v6, v0, v2", "u4u4", U, halves(lambda a, b: a + b)),
    (BOTH, "v_pk_fma_f16 v6, v0, v2, v4", "u4u4u4", U, halves(exact(lambda a, b, c: a * b + c, H))),
    (BOTH, "v_add_f32 v6, v0, v2", F + F, F, lambda a, b: a + b), (BOTH, "v_mul_f32 v6, -v0, |v2|", F + F, F, lambda a, b: -a * abs(b)),
    (BOTH, "v_add_f32 v6, v0, v2 mul:2", F + F, F, lambda a, b: (a + b) * 2),
    (BOTH, "v_add_f32 v6, v0, v2 clamp", F + F, F, lambda a, b: 0 if not a + b > 0 else min(a + b, 1)),
    (BOTH, "v_fma_f32 v6, v0, v2, v4", F + F + F, F, FMA), (BOTH, "v_fmac_f32 v6, v0, v2", F + F, F, lambda a, b: FMA(a, b, np.float32(0.75))),
    (BOTH, "v_fma_f64 v[6:7], v[0:1], v[2:3], v[4:5]", D + D + D, D, exact(lambda a, b, c: a * b + c, D)),
    (BOTH, "v_add_f64 v[6:7], v[0:1], v[2:3]", D + D, D, lambda a, b: a + b),
    (BOTH, "v_fma_f16 v6, v0, v2, v4", H + H + H, H, exact(lambda a, b, c: a * b + c, H)),
    (BOTH, "v_mul_f16 v6, v0, v2", H + H, H, lambda a, b: a * b),
    (BOTH, "v_min_f32 v6, v0, v2", F + F, F, smaller), (BOTH, "v_max_f32 v6, v0, v2", F + F, F, larger),
    (BOTH, "v_min_f64 v[6:7], v[0:1], v[2:3]", D + D, D, smaller), (BOTH, "v_max_f16 v6, v0, v2", H + H, H, larger),
    (BOTH, "v_med3_f32 v6, v0, v2, v4", F + F + F, F, lambda *x: sorted(x)[1] if not any(map(np.isnan, x)) else smaller(smaller(*x[:2]), x[2])),
    (BOTH, "v_floor_f32 v6, v0", F, F, np.floor), (BOTH, "v_ceil_f64 v[6:7], v[0:1]", D, D, np.ceil), (BOTH, "v_rndne_f32 v6, v0", F, F, np.rint),
    (BOTH, "v_rndne_f64 v[6:7], v[0:1]", D, D, np.rint), (BOTH, "v_trunc_f16 v6, v0", H, H, np.trunc), (BOTH, "v_rndne_f16 v6, v0", H, H, np.rint),
    (BOTH, "v_ldexp_f32 v6, v0, v2", F + I, F, lambda a, b: np.float32(np.ldexp(a, np.clip(b, -500, 500)))),
    (BOTH, "v_ldexp_f64 v[6:7], v[0:1], v2", D + I, D, lambda a, b: np.ldexp(a, np.clip(b, -5000, 5000))),
    (BOTH, "v_frexp_exp_i32_f32 v6, v0", F, I, lambda a: math.frexp(a)[1] if np.isfinite(a) else 0),
    (BOTH, "v_frexp_mant_f32 v6, v0", F, F, lambda a: np.float32(math.frexp(a)[0])),
    (BOTH, "v_frexp_exp_i32_f64 v6, v[0:1]", D, I, lambda a: math.frexp(a)[1] if np.isfinite(a) else 0),
    (BOTH, "v_cvt_i32_f32 v6, v0", F, I, to_integer(-2 ** 31, 2 ** 31 - 1)), (BOTH, "v_cvt_u32_f32 v6, v0", F, U, to_integer(0, 2 ** 32 - 1)),
    (BOTH, "v_cvt_i32_f64 v6, v[0:1]", D, I, to_integer(-2 ** 31, 2 ** 31 - 1)), (BOTH, "v_cvt_u16_f16 v6, v0", H, "u2", to_integer(0, 2 ** 16 - 1)),
    (BOTH, "v_cvt_f32_i32 v6, v0", I, F, np.float32), (BOTH, "v_cvt_f32_u32 v6, v0", U, F, np.float32), (BOTH, "v_cvt_f64_u32 v[6:7], v0", U, D, np.float64),
    (BOTH, "v_cvt_f32_f64 v6, v[0:1]", D, F, np.float32), (BOTH, "v_cvt_f16_f32 v6, v0", F, H, np.float16), (BOTH, "v_cvt_f32_f16 v6, v0", H, F, np.float32),
    (BOTH, "v_cvt_f32_ubyte2 v6, v0", U, F, lambda a: np.float32(a >> 16 & 255)),
    (BOTH, "v_sqrt_f32 v6, v0", F, F, np.sqrt), (BOTH, "v_rcp_f32 v6, v0", F, F, lambda a: np.float32(1) / a),
    (BOTH, "v_exp_f32 v6, v0", F, F, lambda a: np.float32(np.exp2(np.float64(a)))),
    (CDNA, "v_cvt_pkrtz_f16_f32 v6, v0, v2", F + F, U, lambda a, b: None if np.isnan(a) or np.isnan(b) else cut(a) | cut(b) << 16),
    (CDNA, "v_add_u32_sdwa v6, v0, sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:WORD_1", U + U, U,
     lambda a, b: (a >> 16 & 255) + signed(b >> 16, 16)),
    (CDNA, "v_add_u32_sdwa v6, v0, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:DWORD", U + U, U,
     lambda a, b: 0x3F400000 | (a + b & 255) << 8),
    (CDNA, "v_or_b32_sdwa v6, v0, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:WORD_0", U + U, U,
     lambda a, b: (a & 255 | b & 0xFFFF) << 16),
    (BOTH, "v_mad_u16 v6, v0, v2, v4 op_sel:[1,0,0,0]", "u4u2u2", "u2", lambda a, b, c: (a >> 16) * b + c),
    (BOTH, "v_pk_add_u16 v6, v0, v2 op_sel:[1,0] op_sel_hi:[0,1]", U + U, U,
     lambda a, b: (a >> 16) + b & 0xFFFF | ((a & 0xFFFF) + (b >> 16) & 0xFFFF) << 16),
    (BOTH, "v_fma_mix_f32 v6, v0, v2, v4 op_sel:[1,0,0] op_sel_hi:[1,0,0]", U + F + F, F,
     lambda a, b, c: FMA(np.float32(np.array(a >> 16, np.uint16).view(H)[()]), b, c)),
    (CDNA, "v_add_u32 v6, v0, v2 clamp", U + U, U, lambda a, b: min(a + b, M32)),
    (CDNA, "v_sub_u32 v6, v0, v2 clamp", U + U, U, lambda a, b: max(a - b, 0)),
    (CDNA, "v_add_i32 v6, v0, v2 clamp", I + I, I, lambda a, b: max(min(a + b, 2 ** 31 - 1), -2 ** 31)),
    (RDNA, "v_sub_nc_i32 v6, v0, v2 clamp", I + I, I, lambda a, b: max(min(a - b, 2 ** 31 - 1), -2 ** 31)),
    (CDNA, "v_add_u16 v6, v0, v2 clamp", "u2u2", "u2", lambda a, b: min(a + b, 0xFFFF)),
    (CDNA, "v_pk_mul_f32 v[6:7], v[0:1], v[2:3] op_sel:[1,0] op_sel_hi:[0,1]", "u8u8", "u8", lambda a, b: joined(words(a)[::-1] * words(b))),
    (CDNA, "v_pk_mov_b32 v[6:7], v[0:1], v[2:3] op_sel:[0,1]", "u8u8", "u8", lambda a, b: a & M32 | b >> 32 << 32),
    (CDNA, "v_pk_mov_b32 v[6:7], v[0:1], v[2:3] op_sel:[1,0]", "u8u8", "u8", lambda a, b: a >> 32 | (b & M32) << 32),
    (CDNA, "v_pk_fma_f32 v[6:7], v[0:1], v[2:3], v[4:5] neg_lo:[1,0,0]", "u8u8u8", "u8",
     lambda a, b, c: joined([FMA(s * x, y, z) for s, x, y, z in zip((np.float32(-1), np.float32(1)), words(a), words(b), words(c))])),
    (CDNA, "v_add_co_u32 v6, vcc, v0, v2 | v_addc_co_u32 v7, vcc, v1, v3, vcc", "u8u8", "u8", lambda a, b: a + b),
    (CDNA, "v_sub_co_u32 v6, s[4:5], v0, v2 | v_subb_co_u32 v7, s[4:5], v1, v3, s[4:5]", "u8u8", "u8", lambda a, b: a - b),
    (RDNA, "v_sub_co_u32 v6, s4, v0, v2 | v_sub_co_ci_u32_e64 v7, s4, v1, v3, s4", "u8u8", "u8", lambda a, b: a - b),
    (CDNA, "v_cmp_lt_i32 vcc, v0, v2 | v_cndmask_b32 v6, v0, v2, vcc", I + I, I, max),
    (RDNA, "v_cmp_lt_u64 vcc_lo, v[0:1], v[2:3] | v_cndmask_b32 v6, 5, 9, vcc_lo", "u8u8", U, lambda a, b: 9 if a < b else 5),
    (CDNA, "v_cmp_nlt_f32 s[4:5], v0, v2 | v_cndmask_b32 v6, 5, 9, s[4:5]", F + F, U, lambda a, b: 5 if a < b else 9),
    (CDNA, "v_cmp_class_f32 vcc, v0, v2 | v_cndmask_b32 v6, 0, 1, vcc", F + U, U, class_of),
    (CDNA, "v_cmp_class_f64 vcc, v[0:1], v2 | v_cndmask_b32 v6, 0, 1, vcc", D + U, U, class_of),
    (BOTH, "v_cvt_pk_u16_u32 v6, v0, v2", U + U, U, lambda a, b: min(a, 0xFFFF) | min(b, 0xFFFF) << 16),
    (BOTH, "v_cvt_pk_i16_i32 v6, v0, v2", I + I, U, lambda a, b: sum((max(min(x, 32767), -32768) & 0xFFFF) << k for x, k in ((a, 0), (b, 16)))),
    (BOTH, "v_fract_f32 v6, v0", F, F, lambda a: min(a - np.floor(a), np.nextafter(np.float32(1), np.float32(0))) if np.isfinite(a) else np.nan),
    (BOTH, "v_cmp_gt_f32 vcc%, v0, v2 | v_mov_b32 v6, 1", F + F, U, lambda a, b: 1),
]
CASES = [(architecture, row) for row in ROWS for architecture in row[0]]


@pytest.mark.parametrize("architecture, row", CASES, ids=lambda v: v if isinstance(v, str) else v[1].partition(" |")[0])
def test_arithmetic(architecture, row):
    _, text, types, result, function = row
    text = text.replace("%", "" if WAVES[architecture] == 64 else "_lo")
    operands = [numbers(types[k:k + 2], k + 1) for k in range(0, len(types), 2)]
    wave = Wave(architecture, waves=64 // WAVES[architecture]).run(text, **dict(zip(("v0", "v2", "v4"), operands)), v6=np.float32(0.75))
    for got, *values in zip(wave.get("v6", result), *operands):
        agree(got, function, values, result)


def agree(got, function, values, result):
    integral = np.dtype(result).kind != "f"
    with np.errstate(all="ignore"):
        want = function(*(int(x) if x.dtype.kind != "f" else x for x in values))
    if want is None:
        return
    if integral:
        want = int(want) & (1 << 8 * got.dtype.itemsize) - 1
        assert int(got) & (1 << 8 * got.dtype.itemsize) - 1 == want, (values, hex(got), hex(want))
    else:
        with np.errstate(all="ignore"):
            want = np.dtype(result).type(want)
        assert np.isnan(got) and np.isnan(want) or got == want and np.signbit(got) == np.signbit(want), (values, got, want)


def test_pairs_become_bfloat16():
    """Of gfx950 alone."""
    values = np.array([1, -1.5, 3.1415926, 1e38, np.inf, 1e-40, 0.00390625, 1.00390625] * 8, np.float32)
    found = Wave("gfx950").run("v_cvt_pk_bf16_f32 v6, v0, v1", v0=values, v1=-values).get("v6")
    bits = values.view(np.uint32)
    rounded = bits + 0x7FFF + (bits >> 16 & 1) >> 16
    assert (found == (rounded | (rounded ^ 0x8000) << 16)).all()
