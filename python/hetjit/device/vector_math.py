"""Functions of vectors, in plain Python: compiled when device code calls them, and what they are on the host."""

import math

__all__ = ["cross", "distance", "dot", "length", "lerp", "normalize"]


def dot(a, b):
    """The sum of the products of lanes."""
    total, *rest = a * b
    for product in rest:
        total = total + product
    return total


def cross(a, b):
    """The vector product of two vectors of three lanes."""
    return (a * b).replace(x=a.y * b.z - a.z * b.y, y=a.z * b.x - a.x * b.z, z=a.x * b.y - a.y * b.x)


def length(v):
    """The root of dot(v, v)."""
    return math.sqrt(dot(v, v))


def distance(a, b):
    """length(a - b)."""
    return length(a - b)


def normalize(v):
    """The vector of length 1 in the same direction."""
    return v / length(v)


def lerp(a, b, t):
    """a where t is 0, b where it is 1."""
    return a + (b - a) * t
