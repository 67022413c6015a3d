"""What the functions of the library and of NumPy mean for numbers of every format: tables, and the numbers at the edges."""

import itertools
import math

import ml_dtypes
import numpy as np

SIGNED = [np.int8, np.int16, np.int32, np.int64]
UNSIGNED = [np.uint8, np.uint16, np.uint32, np.uint64]
INTEGERS = SIGNED + UNSIGNED
FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]


def whole(value):
    """A tuple's first item, for the functions that give one."""
    return value[0] if isinstance(value, tuple) else value


# Of integers an integer: name -> (in kernels, what it is of Python's ints, how many arguments).
WHOLE = {
    "gcd": (lambda a, b: math.gcd(a, b), math.gcd, 2),
    "gcd of three": (lambda a, b, c: math.gcd(a, b, c), math.gcd, 3),
    "lcm": (lambda a, b: math.lcm(a, b), math.lcm, 2),
    "numpy.gcd": (lambda a, b: np.gcd(a, b), math.gcd, 2),
    "numpy.lcm": (lambda a, b: np.lcm(a, b), math.lcm, 2),
    "isqrt": (lambda n: math.isqrt(n), math.isqrt, 1),
    "factorial": (lambda n: math.factorial(n), lambda n: math.factorial(n) if n < 30 else None, 1),
    "comb": (lambda n, k: math.comb(n, k), lambda n, k: math.comb(n, k) if n >= 0 and 0 <= min(k, n - k) < 40 else None, 2),
    "perm": (lambda n, k: math.perm(n, k), lambda n, k: math.perm(n, k) if n >= 0 and 0 <= k < 40 else None, 2),
    "pow": (lambda a, b, m: pow(a, b, m), lambda a, b, m: pow(a, b, m) if b >= 0 else None, 3),
    "bit_length": (lambda n: n.bit_length(), int.bit_length, 1),
    "bit_count": (lambda n: n.bit_count(), int.bit_count, 1),
    "abs": (lambda n: abs(n), abs, 1),
    "prod": (lambda a, b: math.prod((a, b)), lambda a, b: a * b, 2),
    "sumprod": (lambda a, b, c: a * b + c, lambda a, b, c: a * b + c, 3),
    "floor": (lambda n: math.floor(n), int, 1),
    "ceil": (lambda n: math.ceil(n), int, 1),
    "trunc": (lambda n: math.trunc(n), int, 1),
    "round": (lambda n: round(n), int, 1),
    "round to tens": (lambda n: round(n, -1), lambda n: round(n, -1), 1),
    "divmod": (lambda a, b: divmod(a, b)[0] ^ divmod(a, b)[1], lambda a, b: divmod(a, b)[0] ^ divmod(a, b)[1], 2),
}

# The same in kernels as of NumPy's arrays.
OF_NUMPY = {
    "floor": (lambda n: np.floor(n), 1), "ceil": (lambda n: np.ceil(n), 1), "trunc": (lambda n: np.trunc(n), 1),
    "rint": (lambda n: np.rint(n), 1), "round": (lambda n: np.round(n), 1), "nan_to_num": (lambda n: np.nan_to_num(n), 1),
    "absolute": (lambda n: np.absolute(n), 1), "negative": (lambda n: np.negative(n), 1), "invert": (lambda n: np.invert(n), 1),
    "sign": (lambda n: np.sign(n), 1), "square": (lambda n: np.square(n), 1), "reciprocal": (lambda n: np.reciprocal(n), 1),
    "bitwise_count": (lambda n: np.bitwise_count(n), 1), "conjugate": (lambda n: np.conjugate(n), 1),
    "fmod": (lambda a, b: np.fmod(a, b), 2), "remainder": (lambda a, b: np.remainder(a, b), 2), "mod": (lambda a, b: np.mod(a, b), 2),
    "floor_divide": (lambda a, b: np.floor_divide(a, b), 2), "divmod": (lambda a, b: whole(np.divmod(a, b)), 2),
    "add": (lambda a, b: np.add(a, b), 2), "subtract": (lambda a, b: np.subtract(a, b), 2), "multiply": (lambda a, b: np.multiply(a, b), 2),
    "power": (lambda a, b: np.power(a, b & 7), 2), "minimum": (lambda a, b: np.minimum(a, b), 2),
    "maximum": (lambda a, b: np.maximum(a, b), 2), "fmin": (lambda a, b: np.fmin(a, b), 2), "fmax": (lambda a, b: np.fmax(a, b), 2),
    "left_shift": (lambda a, b: np.left_shift(a, b & 127), 2), "right_shift": (lambda a, b: np.right_shift(a, b & 127), 2),
    "bitwise_xor": (lambda a, b: np.bitwise_xor(a, b), 2), "clip": (lambda a, b, c: np.clip(a, b, c), 3),
}

# Of floats a float of the same format, exactly what NumPy gives.
OF_FLOATS = {
    "nextafter": (lambda x, y: np.nextafter(x, y), 2), "spacing": (lambda x: np.spacing(x), 1),
    "nan_to_num": (lambda x: np.nan_to_num(x), 1), "fmod": (lambda x, y: np.fmod(x, y), 2),
    "floor": (lambda x: np.floor(x), 1), "ceil": (lambda x: np.ceil(x), 1), "trunc": (lambda x: np.trunc(x), 1),
    "rint": (lambda x: np.rint(x), 1), "copysign": (lambda x, y: np.copysign(x, y), 2), "fabs": (lambda x: np.fabs(x), 1),
    "sign": (lambda x: np.sign(x), 1), "square": (lambda x: np.square(x), 1), "reciprocal": (lambda x: np.reciprocal(x), 1),
    "sqrt": (lambda x: np.sqrt(x), 1), "minimum": (lambda x, y: np.minimum(x, y), 2), "maximum": (lambda x, y: np.maximum(x, y), 2),
    "fmin": (lambda x, y: np.fmin(x, y), 2), "fmax": (lambda x, y: np.fmax(x, y), 2), "heaviside": (lambda x, y: np.heaviside(x, y), 2),
    "frexp": (lambda x: whole(np.frexp(x)), 1), "modf": (lambda x: whole(np.modf(x)), 1),
    "add": (lambda x, y: np.add(x, y), 2), "multiply": (lambda x, y: np.multiply(x, y), 2), "divide": (lambda x, y: np.divide(x, y), 2),
}


def edges_of_integers(dtype):
    info = np.iinfo(dtype)
    near = [info.min, info.min + 1, info.max // 2, info.max - 1, info.max, *range(-4, 8), 12, 15, 20, 28, 30, 62, -12, 100]
    return sorted({n for n in near if info.min <= n <= info.max} | {n for n in (2**24 + 1, -2**24 - 3, 2**53 + 1)
                                                                    if info.min <= n <= info.max})


def edges_of_floats(dtype):
    info = ml_dtypes.finfo(dtype)
    sizes = [0.0, info.smallest_subnormal, info.smallest_normal, info.eps, 0.1, 0.5, 1, 1.5, 2, 2.5, 7, 300, 2049, info.max, math.inf]
    return [*(dtype(x) for x in sizes), *(-dtype(x) for x in sizes), dtype(math.nan)]


def tuples(edges, count, dtype):
    """`count` arrays that together hold every combination of edges; of three arguments a part of them."""
    rows = list(itertools.product(edges, repeat=count))
    rows = rows if count < 3 else rows[::23]
    return [np.array([row[k] for row in rows], dtype) for k in range(count)]
