"""What each CUDA program of sources/integers.cu must leave, by plain Python. The others: expected_floats.py, expected_threads.py."""

import numpy as np

from program import PROGRAMS, integers, program

I32, U32, I64, U64 = np.int32, np.uint32, np.int64, np.uint64


def ints(dtype, *more, **options):
    """A program of two (or other) integer inputs."""
    types = (dtype, *(more or (dtype,)))
    return program("integers", [integers(t, k) for k, t in enumerate(types)], **options)


def each(out, function, *columns):
    """A Python function of ints for each row, wrapped to the type."""
    bits = 8 * np.dtype(out).itemsize
    values = [function(*map(int, row)) & ((1 << bits) - 1) for row in zip(*columns)]
    return np.array(values, f"u{bits // 8}").view(out)


def cut(a, b):
    """C's quotient."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


@ints(I32, out=I32)
def add_signed(a, b): return each(I32, lambda x, y: x + y, a, b)


@ints(np.int16, out=np.int16)
def sub_short(a, b): return each(np.int16, lambda x, y: x - y, a, b)


@ints(U64, out=U64)
def multiply_long(a, b): return each(U64, lambda x, y: x * y, a, b)


@ints(I32, out=I64)
def multiply_wide(a, b): return each(I64, lambda x, y: x * y, a, b)


@ints(I32, out=I32)
def multiply_high(a, b): return each(I32, lambda x, y: x * y >> 32, a, b)


@ints(U32, out=U32)
def multiply_high_unsigned(a, b): return each(U32, lambda x, y: x * y >> 32, a, b)


@ints(I64, out=I64)
def multiply_high_long(a, b): return each(I64, lambda x, y: x * y >> 64, a, b)


@ints(U64, out=U64)
def multiply_high_unsigned_long(a, b): return each(U64, lambda x, y: x * y >> 64, a, b)


def signed(x, bits):
    x &= (1 << bits) - 1
    return x - (x >> bits - 1 << bits)


@ints(I32, out=I32)
def multiply_24(a, b): return each(I32, lambda x, y: signed(x, 24) * signed(y, 24), a, b)


@ints(I32, out=I32, nonzero=True)
def divide(a, b): return each(I32, cut, a, b)


@ints(U64, out=U64, nonzero=True)
def divide_unsigned_long(a, b): return each(U64, lambda x, y: x // y, a, b)


@ints(I64, out=I64, nonzero=True)
def remainder_long(a, b): return each(I64, lambda x, y: x - cut(x, y) * y, a, b)


@ints(U32, out=U32)
def remainder_by_seven(a, b): return each(U32, lambda x, y: x % 7 + y // 10, a, b)


@ints(I32, out=I32)
def smallest(a, b): return each(I32, lambda x, y: min(x, y) ^ max(x, y) ^ abs(x), a, b)


@ints(I32, out=U32)
def absolute_difference(a, b): return each(U32, lambda x, y: abs(x - y) + 5, a, b)


@ints(U32, U64, out=I32)
def count_bits(a, b):
    return each(I32, lambda x, y: x.bit_count() + 100 * y.bit_count() + 10000 * (32 - x.bit_length()) +
                1000000 * (64 - y.bit_length()), a, b)


@ints(I32, I64, out=I32)
def first_bit(a, b):
    return each(I32, lambda x, y: (x & -x).bit_length() * 100 + (y & -y).bit_length(), a, b)


@ints(U32, U64, out=U64)
def reverse_bits(a, b):
    return each(U64, lambda x, y: int(f"{x:032b}"[::-1], 2) ^ int(f"{y:064b}"[::-1], 2), a, b)


@ints(U32, out=U32)
def permute_bytes(a, b):
    def one(x, y):
        whole, selector = (y << 32 | x).to_bytes(8, "little"), x ^ (y >> 3)
        return int.from_bytes(bytes(whole[selector >> 4 * k & 7] for k in range(4)), "little")
    return each(U32, one, a, b)


@ints(U32, out=U32)
def shift_left(a, b): return each(U32, lambda x, y: x << (y & 31), a, b)


@ints(I64, U32, out=I64)
def shift_right_signed(a, b): return each(I64, lambda x, y: x >> (y & 63), a, b)


@ints(U32, out=U32)
def funnel(a, b):
    return each(U32, lambda x, y: ((y << 32 | x) << (y & 31) >> 32) ^ ((y << 32 | x) >> min(y & 63, 32)), a, b)


def dotted(a, b, dtype):
    return (a.view(dtype).astype(I64) * b.view(dtype)).reshape(-1, 4).sum(axis=1) + 7


@ints(I32, out=I32)
def dot_bytes(a, b): return dotted(a, b, np.int8)


@ints(U32, out=U32)
def dot_unsigned(a, b): return dotted(a, b, np.uint8)


@ints(U32, out=U32)
def halving_average(a, b):
    return each(U32, lambda x, y: (x + y >> 1) + (signed(x, 32) + signed(y, 32) + 1 >> 1), a, b)


@ints(U64, out=U64)
def add_128(a, b):
    def one(x, y):
        x, y = x << 64 | y, y << 64 | x
        x = x + y * 3 - (x >> 7) & (1 << 128) - 1
        return x >> 64 ^ x
    return each(U64, one, a, b)


@ints(U32, out=U32)
def carries(a, b): return each(U32, lambda x, y: (x + y) * 2 + (x + y >> 32), a, b)


@ints(U32, out=U32)
def borrows(a, b): return each(U32, lambda x, y: (x - y) * 8 + 5 - (x < y), a, b)


@ints(I32, out=I32)
def add_saturated(a, b): return each(I32, lambda x, y: max(-2**31, min(2**31 - 1, x + y)), a, b)


def bits_of(x, start, length, with_sign):
    field = x >> start & (1 << length) - 1
    top = x >> min(start + length - 1, 31) & 1 if length else 0
    if with_sign and top and length:
        real = min(length, 32 - start)
        field |= -1 << real
    return field


@ints(U32, out=U32)
def bit_field(a, b):
    return each(U32, lambda x, y: bits_of(x, y & 31, y >> 8 & 31, False) * 31 + bits_of(x, y & 31, y >> 8 & 31, True), a, b)


@ints(U32, out=U32)
def bit_insert(a, b):
    def one(x, y):
        mask = ((1 << (y >> 8 & 31)) - 1) << (y & 31)
        return x << (y & 31) & mask | y & ~mask
    return each(U32, one, a, b)


@ints(I32, U32, out=U32)
def find_top(a, b):
    def one(x, y):
        top = (x if x >= 0 else ~x).bit_length() - 1
        return (top & 0xFFFFFFFF) * 64 + (32 - y.bit_length() if y else 0xFFFFFFFF)
    return each(U32, one, a, b)


@ints(U32, out=U32)
def any_logic(a, b):
    i = np.arange(a.size, dtype=U32)
    return ((a & b) | (a & i) | (b & i)) + U32(3) * by_table(a, b, i, 0x1D)


def by_table(a, b, c, table):
    result = np.zeros_like(a)
    for bit in range(32):
        row = (a >> U32(bit) & 1) << 2 | (b >> U32(bit) & 1) << 1 | c >> U32(bit) & 1
        result |= (U32(table) >> row & 1) << U32(bit)
    return result


@ints(I32, U32, out=I32)
def extend_bits(a, b): return each(I32, lambda x, y: signed(x, y & 31) if y & 31 else 0, a, b)


@ints(U64, U32, out=U64)
def shifts_too_far(a, b): return each(U64, lambda x, y: (x << y % 100) ^ (x >> y % 100), a, b)


import expected_floats  # noqa: E402  the other parts of the table
import expected_threads  # noqa: E402

__all__ = ["PROGRAMS", "expected_floats", "expected_threads"]
