"""Masks and lanes: 32 or 64 threads of a wave, one row of an array; what one lane reads of another."""

import numpy as np

from .values import DTYPES

U1, U4, U8, I8 = DTYPES["U1"], DTYPES["U4"], DTYPES["U8"], DTYPES["I8"]
HALF = U8.type(32)
LOW = U8.type(0xFFFFFFFF)
FULL = {U4: U4.type(0xFFFFFFFF), U8: U8.type(0xFFFFFFFFFFFFFFFF)}


def join64(low, high):
    return low.astype(U8) | (high.astype(U8) << HALF)


def low(value):
    return value.astype(U4)


def high(value):
    return (value >> HALF).astype(U4)


def lanes(mask):
    """A bool for each lane of masks, of which each wave has one (or all have the same one)."""
    mask = np.atleast_2d(mask)
    return np.unpackbits(np.ascontiguousarray(mask).view(U1), axis=1, bitorder="little").view(np.bool_)


def active(mask):
    """The same of EXEC: None where every lane of every wave is on."""
    mask = np.atleast_2d(mask)
    return None if (mask == FULL[mask.dtype]).all() else lanes(mask)


def mask_of(truth, on, width, count):
    """A mask for each wave of who is on and has it true."""
    if on is not None:
        truth = truth & on
    if np.shape(truth) != (count, width):
        truth = np.broadcast_to(truth, (count, width))
    packed = np.ascontiguousarray(np.packbits(truth, axis=1, bitorder="little"))  # which keeps the order of what it packs
    return packed.view(U8 if width == 64 else U4)


def put(on, new, old):
    return new if on is None else np.where(on, new, old)


def both(a, b):
    return b if a is None else a & b


# ---- from one lane to another

def full(value, count, width):
    return np.broadcast_to(value, (count, width))


def first_lane(value, on, count, width):
    """What the first lane that is on holds; lane 0 where none is."""
    value = np.asarray(value)
    if value.ndim < 2 or value.shape[1] == 1:
        return full(value, count, 1)
    if on is None:
        return full(value, count, width)[:, :1]
    return np.take_along_axis(full(value, count, width), np.argmax(full(on, count, width), axis=1)[:, None], axis=1)


def read_lane(value, lane, count, width):
    at = (full(lane, count, 1) & U4.type(width - 1)).astype(I8)
    return np.take_along_axis(full(value, count, width), at, axis=1)


def write_lane(old, value, lane, count, width):
    result = np.array(full(old, count, width))
    at = (full(lane, count, 1) & U4.type(width - 1)).astype(I8)
    np.put_along_axis(result, at, full(value, count, 1), axis=1)
    return result


def gathered(value, index, valid, on, count, width):
    """Lane i gets what lane index[i] holds, zero where that is off or none at all; (values, who got one)."""
    index = full(index, count, width)
    given = np.take_along_axis(full(value, count, width), index, axis=1)
    there = full(valid, count, width)
    if on is not None:
        there = there & np.take_along_axis(full(on, count, width), index, axis=1)
    return np.where(there, given, U4.type(0)), there


def bpermute(address, value, on, count, width):
    """ds_bpermute_b32: from the lane that the address names; lanes that are off give zero."""
    index = (full(address, count, width) >> U4.type(2)).astype(I8) & (width - 1)
    return gathered(value, index, True, on, count, width)[0]


def permute(address, value, on, count, width):
    """ds_permute_b32: to the lane that the address names; the highest lane wins."""
    result = np.zeros((count, width), U4)
    index = (full(address, count, width) >> U4.type(2)).astype(I8) & (width - 1)
    value = full(value, count, width)
    rows = np.arange(count)
    for lane in range(width):
        chosen = rows if on is None else rows[full(on, count, width)[:, lane]]
        result[chosen, index[chosen, lane]] = value[chosen, lane]
    return result


def swizzle_pattern(offset, width):
    """ds_swizzle_b32: (the lane that each reads, whether there is one)."""
    lane = np.arange(width)
    if (offset & 0xE000) == 0x8000:  # within four lanes
        return lane & ~3 | offset >> 2 * (lane & 3) & 3
    if (offset & 0xE000) == 0xC000:  # turned within 32 lanes
        count, mask = offset >> 5 & 31, offset & 31
        turned = lane + (count if not offset >> 10 & 1 else -count)
        return lane & ~31 | (lane & mask) | (turned & ~mask & 31)
    return lane & ~31 | ((lane & 31 & (offset & 31)) | offset >> 5 & 31) ^ (offset >> 10 & 31)


def dpp_pattern(control, width, family):
    """Data-parallel primitives: (the lane that each reads, whether there is one)."""
    lane = np.arange(width)
    row, place = lane & ~15, lane & 15
    if control <= 0xFF:
        return lane & ~3 | control >> 2 * (lane & 3) & 3, lane >= 0
    count = control & 15
    kind = control & ~15
    if kind == 0x100:
        return np.minimum(lane + count, width - 1), place + count < 16
    if kind == 0x110:
        return np.maximum(lane - count, 0), place >= count
    if kind == 0x120:
        return row | (place - count) & 15, lane >= 0
    if kind == 0x150:  # row_newbcast, row_share
        return row | count, lane >= 0
    if kind == 0x160:
        return row | place ^ count, lane >= 0
    return wide_pattern(control, lane, row, place, width)


def wide_pattern(control, lane, row, place, width):
    patterns = {0x130: (lane + 1, lane + 1 < width), 0x134: ((lane + 1) % width, lane >= 0), 0x138: (lane - 1, lane > 0),
                0x13C: ((lane - 1) % width, lane >= 0), 0x140: (row | 15 - place, lane >= 0), 0x141: (lane ^ 7, lane >= 0),
                0x142: (row - 1, row > 0)}
    if control == 0x143:
        return np.full(width, 31), lane >= 32
    if control not in patterns:
        return None
    index, valid = patterns[control]
    return np.clip(index, 0, width - 1), valid


def rows_and_banks(row_mask, bank_mask, width):
    lane = np.arange(width)
    return ((row_mask >> (lane >> 4 & 3) & 1) & (bank_mask >> (lane >> 2 & 3) & 1)).astype(np.bool_)


def permlane16(value, low, high, across, on, count, width):
    """v_permlane16_b32: from a lane of the same row (or of its neighbour) that the scalars name."""
    picks = join64(full(low, count, 1), full(high, count, 1))
    lane = np.arange(width)
    row = lane & ~15 ^ (16 if across else 0)
    index = row + ((picks >> (U8.type(4) * (lane & 15).astype(U8))) & U8.type(15)).astype(I8)
    return gathered(value, index, True, on, count, width)


NAMES = {f.__name__: f for f in (join64, low, high, lanes, active, mask_of, put, both, first_lane, read_lane, write_lane, gathered,
                                 bpermute, permute, permlane16, full)}
