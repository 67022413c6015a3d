"""The promotion table as data, written down apart from the compiler: tests compare the compiler with it, and the fuzz tests' meaning
of the language is built on it."""

import re

# What two operands become: the row is the left one, the columns are in the order of the rows. `x` is uint64 with a signed integer,
# `!` is a float8 with anything: both are refused and ask for a cast. `bool`, `int`, `float` and `complex` are Python's.
JOINED = """
bool_      b    b    i32  f32  c64  i8   i16  i32  i64  u8   u16  u32  u64  f16  bf   f32  f64  c64  c128 !    !    !    !
bool       b    b    i32  f32  c64  i8   i16  i32  i64  u8   u16  u32  u64  f16  bf   f32  f64  c64  c128 !    !    !    !
int        i32  i32  i32  f32  c64  i8   i16  i32  i64  u8   u16  u32  u64  f16  bf   f32  f64  c64  c128 !    !    !    !
float      f32  f32  f32  f32  c64  f32  f32  f32  f32  f32  f32  f32  f32  f16  bf   f32  f64  c64  c128 !    !    !    !
complex    c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c128 c64  c128 !    !    !    !
int8       i8   i8   i8   f32  c64  i8   i16  i32  i64  i16  i32  i64  x    f16  bf   f32  f64  c64  c128 !    !    !    !
int16      i16  i16  i16  f32  c64  i16  i16  i32  i64  i16  i32  i64  x    f16  bf   f32  f64  c64  c128 !    !    !    !
int32      i32  i32  i32  f32  c64  i32  i32  i32  i64  i32  i32  i64  x    f16  bf   f32  f64  c64  c128 !    !    !    !
int64      i64  i64  i64  f32  c64  i64  i64  i64  i64  i64  i64  i64  x    f16  bf   f32  f64  c64  c128 !    !    !    !
uint8      u8   u8   u8   f32  c64  i16  i16  i32  i64  u8   u16  u32  u64  f16  bf   f32  f64  c64  c128 !    !    !    !
uint16     u16  u16  u16  f32  c64  i32  i32  i32  i64  u16  u16  u32  u64  f16  bf   f32  f64  c64  c128 !    !    !    !
uint32     u32  u32  u32  f32  c64  i64  i64  i64  i64  u32  u32  u32  u64  f16  bf   f32  f64  c64  c128 !    !    !    !
uint64     u64  u64  u64  f32  c64  x    x    x    x    u64  u64  u64  u64  f16  bf   f32  f64  c64  c128 !    !    !    !
float16    f16  f16  f16  f16  c64  f16  f16  f16  f16  f16  f16  f16  f16  f16  f32  f32  f64  c64  c128 !    !    !    !
bfloat16   bf   bf   bf   bf   c64  bf   bf   bf   bf   bf   bf   bf   bf   f32  bf   f32  f64  c64  c128 !    !    !    !
float32    f32  f32  f32  f32  c64  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f64  c64  c128 !    !    !    !
float64    f64  f64  f64  f64  c128 f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  c128 c128 !    !    !    !
complex64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c128 c64  c128 !    !    !    !
complex128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 !    !    !    !
float8e4m3 !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !
float8e5m2 !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !
float8e4m3fnuz !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !
float8e5m2fnuz !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !    !
"""

SHORT = {"b": "bool", "bf": "bf16", "complex64": "c64", "complex128": "c128"}
ROWS = [line.split() for line in JOINED.strip().split("\n")]
NAMES = [row[0] for row in ROWS]
TABLE = {(row[0], column): cell for row in ROWS for column, cell in zip(NAMES, row[1:], strict=True)}
BOOLS = ("bool", "bool_")
INTEGER = re.compile(r"[iu]\d+|b")


def joined(a, b):
    return TABLE[a, b]


def arithmetic(a, b):
    """+ - *: bools are Python's ints, and those of arrays are refused."""
    if a in BOOLS and b in BOOLS:
        return "i32" if a == b == "bool" else "refused"
    return joined(a, b)


def floored(a, b):
    """// and %: none on complex numbers."""
    return "refused" if joined(a, b).startswith("c") else arithmetic(a, b)


def divided(a, b):
    """/ and ** with an exponent of run time: integers give float32."""
    found = arithmetic(a, b)
    return "f32" if INTEGER.fullmatch(found) else found


def bitwise(a, b):
    """& | ^: bools and integers."""
    return joined(a, b) if joined(a, b) == "x" or INTEGER.fullmatch(joined(a, b)) else "refused"


def shifted(a, b):
    """<< and >>: integers; Python's bools are ints."""
    return arithmetic(a, b) if bitwise(a, b) != "refused" else "refused"


def ordered(a, b):
    """<: none on complex numbers."""
    return "refused" if joined(a, b).startswith("c") else equal(a, b)


def equal(a, b):
    return joined(a, b) if joined(a, b) in "x!" else "b"


RULES = {"+": arithmetic, "-": arithmetic, "*": arithmetic, "/": divided, "//": floored, "%": floored, "**": divided,
         "&": bitwise, "|": bitwise, "^": bitwise, "<<": shifted, ">>": shifted, "<": ordered, "==": equal}
