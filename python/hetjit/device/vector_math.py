"""Functions of vectors, in plain Python: compiled when device code calls them, and what they are on the host."""

import math

from hetjit.device.lang import isdtype
from hetjit.device.types import bfloat16, float16, float32, float64

__all__ = ["cross", "distance", "dot", "length", "lerp", "normalize"]


def _wide(v):
    """The vector in a format that has room for squares."""
    return v if v.dtype == float32 or v.dtype == float64 else v.astype(float32)


def _size(v, format):
    size = math.sqrt(dot(v, v))
    return format(size) if isdtype(format, (float16, bfloat16)) else size


def dot(a, b):
    """The sum of the products of lanes, in their format."""
    total, *rest = a * b
    for product in rest:
        total = total + product
    return total


def cross(a, b):
    """The vector product of two vectors of three lanes."""
    return (a * b).replace(x=a.y * b.z - a.z * b.y, y=a.z * b.x - a.x * b.z, z=a.x * b.y - a.y * b.x)


def length(v):
    """The root of the sum of squares, which are floats."""
    return _size(_wide(v), v.dtype)


def distance(a, b):
    """length(a - b); of integers no difference wraps."""
    if isdtype(a.dtype, "integral") and isdtype(b.dtype, "integral"):
        return math.dist(tuple(a), tuple(b))
    return _size(_wide(a) - _wide(b), (a - b).dtype)


def normalize(v):
    """The vector of length 1 in the same direction."""
    wide = _wide(v)
    unit = wide / length(wide)
    return unit.astype(v.dtype) if isdtype(v.dtype, (float16, bfloat16)) else unit


def lerp(a, b, t):
    """a where t is 0, b where it is 1."""
    if isdtype(a.dtype, "integral") and isdtype(b.dtype, "integral"):
        return a * (1 - t) + b * t  # b - a might wrap
    return a + (b - a) * t
