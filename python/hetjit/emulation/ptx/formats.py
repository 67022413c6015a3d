"""The types of PTX as NumPy sees them, and what a launch and a fault are described with."""

import numpy as np

from ..numbers.types import BOOL, F2, F4, F8, I1, I2, I4, I8, U1, U2, U4, U8

PAIR = np.dtype([("low", np.uint64), ("high", np.uint64)])  # 128 bits

# What arithmetic on a type is done in. bfloat16, float8 and packed types stay bits: their functions unpack them.
DTYPES = {"b8": U1, "u8": U1, "s8": I1, "b16": U2, "u16": U2, "s16": I2, "b32": U4, "u32": U4, "s32": I4, "b64": U8,
          "u64": U8, "s64": I8, "f16": F2, "f32": F4, "f64": F8, "pred": BOOL, "b128": PAIR, "bf16": U2, "f16x2": U4,
          "bf16x2": U4, "u16x2": U4, "s16x2": U4, "f32x2": U8, "e4m3x2": U2, "e5m2x2": U2, "e4m3": U1, "e5m2": U1,
          "tf32": U4, "ue8m0x2": U2}

SHORT = {U1: "u1", U2: "u2", U4: "u4", U8: "u8", I1: "i1", I2: "i2", I4: "i4", I8: "i8", F2: "f2", F4: "f4", F8: "f8",
         BOOL: "p", PAIR: "w"}  # in the names of generated variables

BITS = {1: U1, 2: U2, 4: U4, 8: U8, 16: PAIR}  # what a register or a place in memory of so many bytes holds

GROUPS = {"ints": "u16 s16 u32 s32 u64 s64", "bits": "b16 b32 b64", "floats": "f32 f64",
          "halves": "f16 f16x2 bf16 bf16x2", "narrow": "u16 s16 u32 s32"}

WIDER = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}


def storage(name):
    """What a register of this type holds: bits of its width, or a bool."""
    dtype = DTYPES[name]
    return dtype if dtype == BOOL else BITS[dtype.itemsize]


def size(name):
    return DTYPES[name].itemsize


def types(names):
    """The types that a column of a table names, groups spelled out."""
    return [t for name in names.split() for t in GROUPS.get(name, name).split()]
