"""Integer arithmetic, logic, shifts and bit fields. Every array here has one element for each thread, or one for all."""

import numpy as np

from .formats import I1, I2, I4, I8, U1, U2, U4, U8
from .tables import rows

TABLE = rows("""
add          | t = t t       | ints u16x2 s16x2 | a + b
add.sat      | t = t t       | s32              | saturated(a.astype(I8) + b, a.dtype)
sub          | t = t t       | ints             | a - b
sub.sat      | t = t t       | s32              | saturated(a.astype(I8) - b, a.dtype)
mul.lo       | t = t t       | ints             | a * b
mul.hi       | t = t t       | ints             | high(a, b)
mul.wide     | W = t t       | narrow           | widen(a) * widen(b)
mul24.lo     | t = t t       | u32 s32          | low24(a) * low24(b)
mul24.hi     | t = t t       | u32 s32          | ((widen(low24(a)) * widen(low24(b))) >> 16).astype(a.dtype)
mad.lo       | t = t t t     | ints             | a * b + c
mad.hi       | t = t t t     | ints             | high(a, b) + c
mad.hi.sat   | t = t t t     | s32              | saturated(high(a, b).astype(I8) + c, a.dtype)
mad.wide     | W = t t W     | narrow           | widen(a) * widen(b) + c
mad24.lo     | t = t t t     | u32 s32          | low24(a) * low24(b) + c
sad          | t = t t t     | ints             | c + (np.maximum(a, b) - np.minimum(a, b))
div          | t = t t       | ints             | quotient(a, b)
rem          | t = t t       | ints             | remainder(a, b)
abs          | t = t         | s16 s32 s64      | np.abs(a)
neg          | t = t         | s16 s32 s64      | -a
min          | t = t t       | ints u16x2 s16x2 | np.minimum(a, b)
max          | t = t t       | ints u16x2 s16x2 | np.maximum(a, b)
min.relu     | t = t t       | s32 s16x2        | np.maximum(np.minimum(a, b), 0)
max.relu     | t = t t       | s32 s16x2        | np.maximum(np.maximum(a, b), 0)
popc         | u32 = t       | b32 b64          | np.bitwise_count(a).astype(U4)
clz          | u32 = t       | b32 b64          | leading_zeros(a)
bfind        | u32 = t       | u32 u64 s32 s64  | top_bit(a)
bfind.shiftamt | u32 = t     | u32 u64 s32 s64  | shift_to_top(a)
brev         | t = t         | b32 b64          | reversed_bits(a)
bfe          | t = t u32 u32 | u32 u64 s32 s64  | field(a, b, c)
bfi          | t = t t u32 u32 | b32 b64        | insert(a, b, c, d)
bmsk.clamp   | t = t t       | b32              | bit_mask(a, b)
bmsk.wrap    | t = t t       | b32              | bit_mask(a & U4.type(31), b & U4.type(31))
szext.clamp  | t = t u32     | u32 s32          | sign_extended(a, b)
szext.wrap   | t = t u32     | u32 s32          | sign_extended(a, b & U4.type(31))
fns          | t = t t s32   | b32              | nth_set(a, b, c)
and          | t = t t       | bits pred        | a & b
or           | t = t t       | bits pred        | a | b
xor          | t = t t       | bits pred        | a ^ b
not          | t = t         | bits pred        | ~a
cnot         | t = t         | bits             | (a == 0).astype(a.dtype)
shl          | t = t u32     | bits             | shift_left(a, b)
shr          | t = t u32     | bits ints        | shift_right(a, b)
shf.l.clamp  | t = t t u32   | b32              | funnel_left(a, b, np.minimum(c, U4.type(32)))
shf.l.wrap   | t = t t u32   | b32              | funnel_left(a, b, c & U4.type(31))
shf.r.clamp  | t = t t u32   | b32              | funnel_right(a, b, np.minimum(c, U4.type(32)))
shf.r.wrap   | t = t t u32   | b32              | funnel_right(a, b, c & U4.type(31))
lop3         | t = t t t u32 | b32              | logic(a, b, c, d)
prmt         | t = t t t     | b32              | permuted(a, b, c)
selp         | t = t t pred  | bits ints floats f16 bf16 | np.where(c, a, b)
dp4a.u32     | s32 = u32 t s32 | s32            | dot(bytes_of(a, U1), bytes_of(b, I1), c)
dp4a.s32     | s32 = s32 t s32 | s32            | dot(bytes_of(a, I1), bytes_of(b, I1), c)
dp4a.u32     | u32 = u32 t u32 | u32            | dot(bytes_of(a, U1), bytes_of(b, U1), c)
dp4a.s32     | s32 = s32 t s32 | u32            | dot(bytes_of(a, I1), bytes_of(b, U1), c)
dp2a.lo.u32  | s32 = u32 t s32 | s32            | dot(halves_of(a, U2), bytes_of(b, I1)[:, :2], c)
dp2a.lo.s32  | s32 = s32 t s32 | s32            | dot(halves_of(a, I2), bytes_of(b, I1)[:, :2], c)
dp2a.lo.u32  | u32 = u32 t u32 | u32            | dot(halves_of(a, U2), bytes_of(b, U1)[:, :2], c)
dp2a.lo.s32  | s32 = s32 t s32 | u32            | dot(halves_of(a, I2), bytes_of(b, U1)[:, :2], c)
dp2a.hi.u32  | s32 = u32 t s32 | s32            | dot(halves_of(a, U2), bytes_of(b, I1)[:, 2:], c)
dp2a.hi.s32  | s32 = s32 t s32 | s32            | dot(halves_of(a, I2), bytes_of(b, I1)[:, 2:], c)
dp2a.hi.u32  | u32 = u32 t u32 | u32            | dot(halves_of(a, U2), bytes_of(b, U1)[:, 2:], c)
dp2a.hi.s32  | s32 = s32 t s32 | u32            | dot(halves_of(a, I2), bytes_of(b, U1)[:, 2:], c)
""")

WIDE = {np.dtype(f"{k}{w}"): np.dtype(f"{k}{2 * w}") for k in "ui" for w in (1, 2, 4)}


def widen(a):
    return a.astype(WIDE[a.dtype])


def saturated(a, dtype):
    limits = np.iinfo(dtype)
    return np.clip(a, limits.min, limits.max).astype(dtype)


def high(a, b):
    """The upper half of the product."""
    bits = a.dtype.itemsize * 8
    if bits < 64:
        return (widen(a) * widen(b) >> bits).astype(a.dtype)
    x, y = a.view(U8), b.view(U8)
    low = np.uint64(0xFFFFFFFF)
    x0, x1, y0, y1 = x & low, x >> np.uint64(32), y & low, y >> np.uint64(32)
    middle = x1 * y0 + (x0 * y0 >> np.uint64(32))
    other = x0 * y1 + (middle & low)
    result = x1 * y1 + (middle >> np.uint64(32)) + (other >> np.uint64(32))
    if a.dtype == I8:  # as unsigned, a negative factor is 2**64 more
        result = result - np.where(a < 0, y, np.uint64(0)) - np.where(b < 0, x, np.uint64(0))
    return result.view(a.dtype)


def low24(a):
    return ((a.view(U4) << U4.type(8)).view(a.dtype)) >> a.dtype.type(8)


def quotient(a, b):
    """Towards zero. By zero: all ones, as hardware has it; the document leaves it open."""
    if a.dtype.kind == "u":
        return np.where(b == 0, ~a.dtype.type(0), a // np.where(b == 0, b.dtype.type(1), b))
    ones = np.where((b == 0) | (b == -1), b.dtype.type(1), b)
    towards = a // ones
    towards = towards + ((a % ones != 0) & ((a < 0) != (ones < 0)))
    return np.where(b == 0, a.dtype.type(-1), np.where(b == -1, -a, towards)).astype(a.dtype)


def remainder(a, b):
    return np.where(b == 0, a, a - quotient(a, b) * b)


def leading_zeros(a):
    bits, left, count = a.dtype.itemsize * 8, a, np.zeros(a.shape, U4)
    step = bits // 2
    while step:
        empty = (left >> a.dtype.type(bits - step)) == 0
        count += empty * U4.type(step)
        left = np.where(empty, left << a.dtype.type(step), left)
        step //= 2
    return count + (a == 0)


def top_bit(a):
    """Where the highest bit that differs from the sign stands; all ones where none does."""
    magnitude = np.where(a < 0, ~a, a) if a.dtype.kind == "i" else a
    return U4.type(a.dtype.itemsize * 8 - 1) - leading_zeros(magnitude.view(f"u{a.dtype.itemsize}"))


def shift_to_top(a):
    found = top_bit(a)
    return np.where(found == U4.type(0xFFFFFFFF), found, U4.type(a.dtype.itemsize * 8 - 1) - found)


def reversed_bits(a):
    swapped = a.byteswap()
    for shift, mask in ((1, 0x55), (2, 0x33), (4, 0x0F)):
        keep, by = a.dtype.type(int.from_bytes(bytes([mask]) * a.dtype.itemsize, "little")), a.dtype.type(shift)
        swapped = ((swapped >> by) & keep) | ((swapped & keep) << by)
    return swapped


def shift_left(a, b):
    bits = U4.type(a.dtype.itemsize * 8)
    if b.size == 1:
        return a << a.dtype.type(b[0]) if b[0] < bits else np.zeros(a.shape, a.dtype)
    return np.where(b < bits, a << np.minimum(b, bits - U4.type(1)).astype(a.dtype), a.dtype.type(0))


def shift_right(a, b):
    """Arithmetic where the type has a sign; counts beyond the width act like the width."""
    bits = U4.type(a.dtype.itemsize * 8)
    if b.size == 1 and b[0] < bits:
        return a >> a.dtype.type(b[0])
    shifted = a >> np.minimum(b, bits - U4.type(1)).astype(a.dtype)
    return shifted if a.dtype.kind == "i" else np.where(b < bits, shifted, a.dtype.type(0))


def ones_below(count, dtype):
    """That many low bits, all of them from the width on."""
    return ~shift_left(np.full(count.shape, ~dtype.type(0), dtype), count)


def field(a, start, length):
    """The field's bits, extended by its top bit where the type has a sign, that of the whole past the end."""
    start, length = start & U4.type(255), length & U4.type(255)
    bits, unsigned = a.dtype.itemsize * 8, np.dtype(f"u{a.dtype.itemsize}")
    keep = ones_below(length, unsigned)
    plain = shift_right(a.view(unsigned), start) & keep
    if a.dtype.kind == "u":
        return plain
    top = np.minimum(start.astype(I8) + length - 1, bits - 1)
    sign = (a >> np.maximum(top, 0).astype(a.dtype)) & a.dtype.type(1)
    filled = shift_right(a, start).view(unsigned)
    result = np.where(sign != 0, (filled & keep) | ~keep, plain)
    return np.where(length == 0, unsigned.type(0), result).view(a.dtype)


def insert(a, into, start, length):
    start, length = start & U4.type(255), length & U4.type(255)
    keep = shift_left(ones_below(length, a.dtype), start)
    return (into & ~keep) | (shift_left(a, start) & keep)


def bit_mask(start, length):
    return shift_left(ones_below(length, U4), start)


def sign_extended(a, width):
    bits = np.minimum(width, U4.type(32))
    unused = (U4.type(32) - bits).astype(a.dtype)
    moved = shift_left(a.view(U4), unused.view(U4)).view(a.dtype)
    return np.where(bits == 0, a.dtype.type(0), shift_right(moved, np.minimum(unused.view(U4), U4.type(31))))


def nth_set(mask, base, offset):
    """The place of the offset-th set bit from the base on, upwards or downwards; all ones where there is none."""
    def one(mask, base, offset):
        if offset == 0:
            return base if mask >> base & 1 else 0xFFFFFFFF
        places = range(base, 32) if offset > 0 else range(base, -1, -1)
        found = [p for p in places if mask >> p & 1]
        return found[abs(offset) - 1] if len(found) >= abs(offset) else 0xFFFFFFFF
    mask, base, offset = np.broadcast_arrays(mask, base, offset)
    return np.array([one(int(m), int(b), int(o)) for m, b, o in zip(mask, base, offset)], U4)


def funnel_left(low, top, count):
    both = (top.astype(U8) << np.uint64(32) | low) << count.astype(U8)
    return (both >> np.uint64(32)).astype(U4)


def funnel_right(low, top, count):
    return ((top.astype(U8) << np.uint64(32) | low) >> count.astype(U8)).astype(U4)


def logic(a, b, c, table):
    """Any function of three bits, by its table of truth."""
    result = np.zeros(np.broadcast(a, b, c).shape, U4)
    for row in range(8):
        if int(table[0]) >> row & 1:
            result |= (a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c)
    return result


def permuted(a, b, selector):
    """Each nibble of the selector names a byte of b:a, and whether to spread that byte's sign instead."""
    both = b.astype(U8) << np.uint64(32) | a
    result = np.zeros(np.broadcast(both, selector).shape, U4)
    for place in range(4):
        nibble = selector >> U4.type(4 * place)
        byte = (both >> ((nibble & U4.type(7)).astype(U8) * np.uint64(8))) & np.uint64(255)
        sign = np.where(byte & np.uint64(128), U4.type(255), U4.type(0))
        result |= np.where(nibble & U4.type(8), sign, byte.astype(U4)) << U4.type(8 * place)
    return result


PERMUTATIONS = {"f4e": (0x3210, 0x4321, 0x5432, 0x6543), "b4e": (0x5670, 0x6701, 0x7012, 0x0123),
                "rc8": (0x0000, 0x1111, 0x2222, 0x3333), "ecl": (0x3210, 0x3211, 0x3222, 0x3333),
                "ecr": (0x0000, 0x1110, 0x2210, 0x3210), "rc16": (0x1010, 0x3232, 0x1010, 0x3232)}


def permuted_by_mode(a, b, selector, mode):
    """The six forms in which the selector's two low bits choose among fixed patterns."""
    return permuted(a, b, np.array(PERMUTATIONS[mode], U4)[selector & U4.type(3)])


def bytes_of(a, dtype):
    return a.view(dtype).reshape(-1, 4).astype(I8)


def halves_of(a, dtype):
    return a.view(dtype).reshape(-1, 2).astype(I8)


def dot(a, b, c):
    """The sum of the products, added to c, modulo 2**32."""
    return ((a * b).sum(axis=1) + c).astype(c.dtype)


def add_carry(a, b, carry):
    """Sum and the carry out; subtraction is a + ~b + 1."""
    total = a + b
    out = total < a
    again = total + carry.astype(a.dtype)
    return again, out | (again < total)


__all__ = ["I1", "I2", "I4", "I8", "U1", "U2", "U4", "U8", "add_carry", "bit_mask", "bytes_of", "dot", "halves_of", "field", "funnel_left", "funnel_right", "high", "insert", "leading_zeros", "logic",
           "low24", "nth_set", "permuted", "permuted_by_mode", "quotient", "remainder", "reversed_bits", "saturated",
           "shift_left", "shift_right", "shift_to_top", "sign_extended", "top_bit", "widen"]
