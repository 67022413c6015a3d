"""Which of several functions of one name is meant, where they take as many arguments: the one whose parameters are nearest to what is passed."""

import numpy


def nearest(variants, given):
    """The number of the Variant that is nearest to the values that are given to it, of those as near the first declared. None: none takes them."""
    distances = [_distance(variant.takers, values) for variant, values in zip(variants, given, strict=True)]
    known = [each for each in distances if each is not None]
    return distances.index(min(known)) if known else None


def same_to_python(one, other):
    """Whether no value tells two Calls apart."""
    return [_key(each) for each in one.asked] == [_key(each) for each in other.asked]


def _key(passed):
    return passed.way, passed.type.name, passed.rank, passed.device


def _distance(takers, values):
    """How far values are from parameters: 0 is what these are declared to be. None: they are not taken."""
    total = 0
    for taker, value in zip(takers, values, strict=True):
        try:
            taker.take(value)
        except (TypeError, ValueError, OverflowError):
            return None
        total += _step(taker, value)
    return total


def _step(taker, value):
    passed, type_ = taker.passed, taker.type
    if passed.way == "number":
        return _between_numbers(value, numpy.dtype(type_.number))
    if passed.way in ("array", "vector", "struct"):
        return _between_elements(value, taker.binding.dtype_of(type_.element if passed.way == "vector" else type_))
    if passed.way == "object" and value is not None:
        steps = taker.binding.steps_to_base(getattr(value, "__hetjit_memory__", value).kind, type_.name)
        return steps / (steps + 1)  # nearer than whatever is none of its bases
    return {"text": 0, "string": 0, "texts": 0, "callback": 0, "object": 0, "character": 1}.get(passed.way, 2) + 2 * (value is None)


def _between_elements(value, wanted):
    if wanted.names:
        return int(getattr(value, "dtype", None) != wanted)
    return int(numpy.asarray(value).dtype != wanted) + int(not isinstance(value, numpy.ndarray))


# What a number is, from the narrowest on, and how far a parameter's kind is from it.
_KINDS = "bifc"
# Of one kind these are nearer than others, in this order; the first that has an int is what it is.
_NEARER = [numpy.dtype(each) for each in ("int32", "int64", "uint64", "float64", "complex128")]


def _between_numbers(value, wanted):
    found = _dtype_of_number(value)
    if found == wanted:
        return 0
    kinds = [_KINDS.index("i" if each.kind not in _KINDS else each.kind) for each in (found, wanted)]
    return 2 * abs(kinds[0] - kinds[1]) + (0.1 * (1 + _NEARER.index(wanted)) if wanted in _NEARER else 1)


def _dtype_of_number(value):
    """A number's, as C++ has it: an int is an int, if that has it."""
    if type(value) is not int:
        return numpy.asarray(value).dtype
    return next((each for each in _NEARER[:3] if numpy.iinfo(each).min <= value <= numpy.iinfo(each).max), numpy.dtype(object))
