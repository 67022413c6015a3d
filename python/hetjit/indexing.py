"""Index expressions and shapes: which elements of an array they name."""

import math
import operator


def place(shape, strides, key):
    """What an index expression names: (offset, shape, strides, whether it is one element)."""
    key = key if isinstance(key, tuple) else (key,)
    given = sum(one is not None and one is not Ellipsis for one in key)
    rest = sum(one is Ellipsis for one in key)
    if given > len(shape) or rest > 1:
        raise IndexError(f"{given} indices for an array with {len(shape)} axes" if rest < 2 else "an index has one ... at most")
    offset, axis, extents, steps = 0, 0, [], []
    for one in key if rest else (*key, Ellipsis):
        if one is None:
            extents.append(1)
            steps.append(0)
        elif one is Ellipsis:
            whole = slice(axis, axis := axis + len(shape) - given)
            extents += shape[whole]
            steps += strides[whole]
        elif isinstance(one, slice):
            places = range(*one.indices(shape[axis]))
            offset += places.start * strides[axis] if places else 0
            extents.append(len(places))
            steps.append(places.step * strides[axis])
            axis += 1
        else:
            offset += _index(one, axis, shape[axis]) * strides[axis]
            axis += 1
    return offset, tuple(extents), tuple(steps), not extents and not rest


def _index(one, axis, extent):
    if isinstance(one, bool) or not hasattr(one, "__index__") or getattr(one, "ndim", 0) or getattr(one, "dtype", None) == "bool":
        choosing = ": what chooses elements by other arrays is a kernel" * (hasattr(one, "__len__") and not isinstance(one, str))
        raise TypeError(f"an array is indexed with ints, slices, ... and None, not {type(one).__name__}{choosing}")
    index = operator.index(one)
    if not -extent <= index < extent:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with {extent} elements")
    return index % extent


def shape_that_holds(size, shape):
    """The shape, one of whose extents may be -1: what the others leave."""
    rest = math.prod(extent for extent in shape if extent != -1)
    if shape.count(-1) == 1 and rest and not size % rest:
        shape = tuple(size // rest if extent == -1 else extent for extent in shape)
    if math.prod(shape) != size or min(shape, default=0) < 0:
        raise ValueError(f"{size} elements do not make an array of shape {shape}")
    return shape


def steps_in_order(shape):
    """The strides of C order, in elements."""
    return tuple(math.prod(shape[axis + 1:]) for axis in range(len(shape)))


def becomes(shape, wanted):
    """Whether an array of that shape is repeated to the other one, by NumPy's rule."""
    return len(shape) <= len(wanted) and all(one in (1, extent) for one, extent in zip(reversed(shape), reversed(wanted)))
