"""Arithmetic of floating-point numbers, and the approximations, which are rounded correctly here (within what the document allows).

The packed and 16-bit types take the same rows (packed.py). A directed rounding mode asks the row's excess (rounding.py).
Mixed precision, `add.f32.f16`, is a row of float32, `add.f16`, whose shorter operands are widened.
"""

import numpy as np

from ..numbers.rounding import canonical, fma
from .formats import F4, F8
from .tables import rows

OPTIONS = {"rn", "rz", "rm", "rp", "ftz", "sat", "approx", "full"}  # parts of a name that are no part of the mnemonic here

TABLE = rows("""
add          | t = t t   | floats halves f32x2 | a + b
sub          | t = t t   | floats halves f32x2 | a - b
mul          | t = t t   | floats halves f32x2 | a * b
fma          | t = t t t | floats halves f32x2 | fma(a, b, c)
fma.relu     | t = t t t | halves              | relu(fma(a, b, c))
mad          | t = t t t | floats              | fma(a, b, c)
div          | t = t t   | floats              | a / b
rcp          | t = t     | floats              | a.dtype.type(1) / a
sqrt         | t = t     | floats              | np.sqrt(a)
rsqrt        | t = t     | floats              | through64(lambda x: 1 / np.sqrt(x), a)
sin          | t = t     | f32                 | through64(np.sin, a)
cos          | t = t     | f32                 | through64(np.cos, a)
ex2          | t = t     | f32 halves          | through64(np.exp2, a)
lg2          | t = t     | f32                 | through64(np.log2, a)
tanh         | t = t     | f32 halves          | through64(np.tanh, a)
min          | t = t t   | floats halves       | smaller(a, b)
max          | t = t t   | floats halves       | larger(a, b)
min.NaN      | t = t t   | f32 halves          | with_nan(smaller(a, b), a, b)
max.NaN      | t = t t   | f32 halves          | with_nan(larger(a, b), a, b)
min.xorsign.abs | t = t t | f32 halves         | xor_sign(smaller(np.abs(a), np.abs(b)), a, b)
max.xorsign.abs | t = t t | f32 halves         | xor_sign(larger(np.abs(a), np.abs(b)), a, b)
add.f16      | t = f16 t | f32                 | a + b
sub.f16      | t = f16 t | f32                 | a - b
fma.f16      | t = f16 f16 t | f32             | fma(a, b, c)
add.bf16     | t = bf16 t | f32                | a + b
sub.bf16     | t = bf16 t | f32                | a - b
fma.bf16     | t = bf16 bf16 t | f32           | fma(a, b, c)
""")
BITWISE = rows("""
neg          | t = t     | floats halves       | -a
abs          | t = t     | floats halves       | np.abs(a)
copysign     | t = t t   | floats              | np.copysign(b, a)
testp.finite | pred = t  | floats              | np.isfinite(a)
testp.infinite | pred = t | floats             | np.isinf(a)
testp.number | pred = t  | floats              | ~np.isnan(a)
testp.notanumber | pred = t | floats           | np.isnan(a)
testp.normal | pred = t  | floats              | np.isfinite(a) & (np.abs(a) >= np.finfo(a.dtype).smallest_normal)
testp.subnormal | pred = t | floats            | (a != 0) & (np.abs(a) < np.finfo(a.dtype).smallest_normal)
""")

EXCESS = {"add": "sum_excess", "sub": "difference_excess", "mul": "product_excess", "div": "quotient_excess",
          "rcp": "reciprocal_excess", "sqrt": "root_excess", "fma": "fma_excess", "mad": "fma_excess"}


def through64(function, a):
    return function(a.astype(F8)).astype(a.dtype)


def smaller(a, b):
    """minimumNumber: the other where one is NaN, −0 below +0."""
    return np.where((a < b) | ((a == b) & np.signbit(a)) | np.isnan(b), a, b)


def larger(a, b):
    return np.where((a > b) | ((a == b) & ~np.signbit(a)) | np.isnan(b), a, b)


def with_nan(r, a, b):
    return np.where(np.isnan(a) | np.isnan(b), a.dtype.type(np.nan), r)


def xor_sign(r, a, b):
    negative = np.signbit(a) != np.signbit(b)
    return np.where(negative, -np.abs(r), np.abs(r))


def relu(r):
    """Negative becomes +0; NaN stays."""
    return np.where((r > 0) | np.isnan(r), r, r.dtype.type(0))


__all__ = ["F4", "F8", "canonical", "fma", "larger", "relu", "smaller", "through64", "with_nan", "xor_sign"]
